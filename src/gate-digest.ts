/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:0643b83b98e2cedefd8b743775578f3bf9551ec0d0373ef24fba9ea8260e2d9d';
