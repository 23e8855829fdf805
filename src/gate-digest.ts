/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:ef4bae5a3151dce630ce485c898ba00852d9f2a51c2536d8e584322e26662bc8';
