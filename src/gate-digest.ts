/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:71e711b1a2e24bc71bca0e4943961dc323c920a5d26c6b58ad9b8f6c00b73812';
