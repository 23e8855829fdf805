/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:916dd298fe36182dd0da3c42fa9e22d98516714bc1f8db2981a59a19d3027499';
