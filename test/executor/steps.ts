/** Every step between a verdict and the end of its call. */
export const STEPS = [
  'reading',
  'start written to nowhere yet',
  'start in the queue',
  'start durable',
  'call begun',
  'money sent',
  'about to answer',
  'outcome written to nowhere yet',
  'outcome in the queue',
  'outcome durable',
] as const;
export type Step = (typeof STEPS)[number];

/** Before these the world can't have changed; from these on the outcome is in the log. */
export const BEFORE_START: readonly Step[] = [
  'reading',
  'start written to nowhere yet',
  'start in the queue',
];
export const AFTER_END: readonly Step[] = ['outcome durable'];
/** The effect has happened by then. */
export const SENT: readonly Step[] = STEPS.slice(STEPS.indexOf('money sent'));
