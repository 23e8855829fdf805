import { dataIn, rowsOf } from './record.ts';
import type { Stage } from './stage.ts';

/** What the stories of a test came to: a law over stories in which nothing happens holds for nothing. */
export class Tally {
  stories = 0;
  /** Stories in which something was done to the world. */
  acting = 0;
  effects = 0;
  private readonly counts = new Map<string, number>();

  add(stage: Stage): void {
    this.stories++;
    if (stage.effects.length > 0) this.acting++;
    this.effects += stage.effects.length;
    for (const row of rowsOf(stage.log)) {
      this.count(row.type);
      const asked = dataIn(row, 'QuestionAsked');
      if (asked !== undefined) this.count(`asked ${asked.about}`);
      for (const reason of dataIn(row, 'ExecutionDecided')?.refused ?? []) this.count(`refused ${reason}`);
      const timing = dataIn(row, 'TriggerFired')?.timing;
      if (timing !== undefined) this.count(`triggered ${timing}`);
      const verdict = dataIn(row, 'VerdictRecorded')?.verdict;
      if (verdict !== undefined) this.count(`verdict ${verdict.kind}`);
      if (dataIn(row, 'AnswerReceived')?.declined === true) this.count('declined');
      const run = dataIn(row, 'RunStarted');
      for (const { entry } of run?.entries ?? []) this.count(`given ${entry.kind}`);
    }
    for (const row of rowsOf(stage.log)) {
      const start = dataIn(row, 'CallStarted');
      if (start === undefined) continue;
      for (const source of sourcesOf(stage, start.verdict)) this.count(`acted on ${source}`);
    }
    for (const [code, times] of stage.refusals) this.count(code, times);
  }

  of(what: string): number {
    return this.counts.get(what) ?? 0;
  }

  /** Those of the list that never came up. */
  missing(list: readonly string[]): string[] {
    return list.filter((what) => this.of(what) === 0);
  }

  private count(what: string, times = 1): void {
    this.counts.set(what, this.of(what) + times);
  }

  toString(): string {
    const rest = [...this.counts].sort().map(([what, times]) => `${what}: ${times}`);
    return [`${this.stories} stories, ${this.acting} acting, ${this.effects} effects`, ...rest].join('\n');
  }
}

/** By what the values of a started verdict were known: a reason each. */
function sourcesOf({ log }: Stage, verdict: string): Set<string> {
  const row = rowsOf(log).find(({ event }) => event.id === verdict);
  const slots = dataIn(row, 'VerdictRecorded')?.verdict.slots ?? [];
  return new Set(slots.map(({ reason }) => reason));
}
