/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:feb1bca34f135c0e66e14317c1ec6665927fefa555161d82c7f42fe2579b6f0c';
