import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { GroundsError } from '../src/errors.ts';
import { digestOfBytes } from '../src/events/digest.ts';

export interface FrozenGate {
  /** `sha256:` over `code` in UTF-8: the gate's name in every `RunStarted`, verdict and file name. */
  readonly digest: string;
  /** One ES module with everything in it: `step`, `locate`, `isGated` and what else src/gate exports. */
  readonly code: string;
}

/**
 * Bundles the gate as it stands in `root` into one module. The same sources and dependencies give the same bytes in any
 * folder: no names of files, comments or maps are in it.
 *
 * @throws GroundsError `replay/gate-open` where it would load something at run time.
 */
export async function freezeGate(root: string): Promise<FrozenGate> {
  const bundle = await rolldown({
    cwd: root,
    input: join(root, 'src/gate/index.ts'),
    platform: 'neutral',
    experimental: { attachDebugInfo: 'none' },
  });
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      minify: false,
      sourcemap: false,
      comments: false,
    });
    const [{ code, imports, dynamicImports }, ...rest] = output;
    const open = [...imports, ...dynamicImports, ...rest.map(({ fileName }) => fileName)];
    if (open.length > 0) {
      throw new GroundsError(
        'replay/gate-open',
        'The gate loads something at run time, so it can not be frozen.',
        {
          facts: { loads: open },
          hint: 'Keep node modules and dynamic imports out of src/gate and of what it imports.',
        },
      );
    }
    return { digest: digestOfBytes(code), code };
  } finally {
    await bundle.close();
  }
}
