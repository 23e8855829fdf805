export { isPublicKey, type PublicKey, publicKeyOf, type Signer, signerOf } from './ed25519.ts';
export { formatPublic, formatSecret, keyIdOf, parsePublic, parseSecret } from './format.ts';
export { type KeyStore, keyStore, keysFolder, type ListedKey } from './store.ts';
