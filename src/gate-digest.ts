/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:8e030c60ffaac3b0a40a667dfe6863bd572d85e7db1804e51d997ea60a10db02';
