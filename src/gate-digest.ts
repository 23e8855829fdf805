/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:a3b9437376fe2f62a8e24bd14729824de479ab783600589e2852703a7efdb520';
