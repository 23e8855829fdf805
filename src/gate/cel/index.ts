export { type Compiled, compile } from './compile.ts';
export { type EvaluateOptions, type Evaluation, evaluate, MAX_WORK, type Scope } from './evaluate.ts';
export type { CompileFault, CompileFaultCode, EvaluationFaultCode, Expr } from './expr.ts';
export { type Needs, needsOf } from './needs.ts';
