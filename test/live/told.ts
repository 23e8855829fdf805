import { type Changed, Stage } from './stage.ts';
import type { Story } from './story.ts';

/** Tells a story to its end: what is done at once is over before the next begins. */
export async function told(story: Story, changed: Changed = {}): Promise<Stage> {
  const stage = new Stage(story, changed);
  for (const atOnce of story.acts) {
    // Time passes between what is done, or while somebody thinks; not within a step.
    const acts = [...atOnce].sort((a, b) => Number(b.deed === 'wait') - Number(a.deed === 'wait'));
    const all = await Promise.allSettled(acts.map((act) => stage.perform(act)));
    for (const each of all) if (each.status === 'rejected') throw each.reason;
  }
  return stage;
}
