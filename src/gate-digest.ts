/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:67f5418dfd8eba94a28953fe2cf4b1d84d5f11fddad29c3087cd0112a0b3cc65';
