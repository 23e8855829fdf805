/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:b3a9483a12b18c411c2c33fd3fa0d985e793bc88f861b203cbdb870fa6b0d802';
