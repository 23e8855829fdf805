/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:f33eb2b8d2365a542cc597796df91dfcd1ff5810ab25697dab090abfce205c4c';
