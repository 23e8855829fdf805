/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:d9fd5dbbb73375490eb2f5fba820a1b597265d297187fff0d0634319068412c0';
