import { isArray, isObject, type Json, type JsonObject } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import { type Received, receive } from './received.ts';
import { textOrNull } from './shape.ts';

/** A span, whatever it was exported as: its attributes as values, each with where it can be read exactly. */
export interface Span {
  readonly received: Received;
  readonly attributes: ReadonlyMap<string, Json>;
  readonly trace: string | null;
  readonly id: string | null;
  /** Sortable among the spans of one exporter; '' where it is missing. */
  readonly start: string;
  readonly failed: boolean | null;
}

export interface PlacedSpan {
  readonly value: JsonObject;
  readonly pointer: Pointer;
}

/** The spans in OTLP batches, arrays and single spans, in order. */
export function spansIn(value: Json, pointer: Pointer = ''): PlacedSpan[] {
  if (isArray(value))
    return value.flatMap((each, i) => (isArray(each) ? [] : spansIn(each, `${pointer}/${i}`)));
  if (!isObject(value)) return [];
  if (isSpan(value)) return [{ value, pointer }];
  for (const key of ['resourceSpans', 'resource_spans', 'scopeSpans', 'scope_spans', 'spans']) {
    if (isArray(value[key])) return spansIn(value[key], `${pointer}/${key}`);
  }
  return [];
}

/** A span with attributes of generative AI, or only such attributes. */
export function isGenAiSpan(value: Json): boolean {
  if (!isObject(value)) return false;
  return [...attributesOf(value).keys()].some((key) => key.startsWith('gen_ai.'));
}

export function isBatch(value: Json): boolean {
  return isObject(value) && (isArray(value.resourceSpans) || isArray(value.resource_spans));
}

function isSpan(value: JsonObject): boolean {
  return 'attributes' in value &&
    ('spanId' in value || 'span_id' in value || 'context' in value || 'name' in value)
    ? true
    : Object.keys(value).some((key) => key.startsWith('gen_ai.'));
}

export function spanOf(received: Received): Span {
  const value: JsonObject = isObject(received.value) ? received.value : {};
  const context = isObject(value.context) ? value.context : {};
  const attributes = attributesOf(value);
  return {
    received,
    attributes,
    trace: textOrNull(value.traceId ?? value.trace_id ?? context.trace_id ?? context.traceId),
    id: textOrNull(value.spanId ?? value.span_id ?? context.span_id ?? context.spanId),
    start: startOf(
      value.startTimeUnixNano ?? value.start_time_unix_nano ?? value.start_time ?? value.startTime,
    ),
    failed: failureOf(value.status, attributes),
  };
}

/** Nanoseconds as digits are padded, so that text order is the order in time. */
function startOf(value: Json | undefined): string {
  const text = typeof value === 'number' ? String(value) : (textOrNull(value) ?? '');
  return /^\d+$/.test(text) ? text.padStart(24, '0') : text;
}

/** OTLP writes 2 or STATUS_CODE_ERROR, others ERROR. An unset status says nothing; `error.type` says that it failed. */
function failureOf(status: Json | undefined, attributes: ReadonlyMap<string, Json>): boolean | null {
  const code = isObject(status) ? (status.code ?? status.status_code) : status;
  if (attributes.has('error.type') || code === 2 || (typeof code === 'string' && code.endsWith('ERROR')))
    return true;
  return code === 1 || (typeof code === 'string' && code.endsWith('OK')) ? false : null;
}

function attributesOf(value: JsonObject): Map<string, Json> {
  const { attributes } = value;
  if (isArray(attributes)) {
    return new Map(
      attributes.flatMap((each): [string, Json][] =>
        isObject(each) && typeof each.key === 'string' ? [[each.key, plain(each.value ?? null, 0)]] : [],
      ),
    );
  }
  return new Map(Object.entries(isObject(attributes) ? attributes : value));
}

/** The value of an OTLP AnyValue. Its integers are texts, and stay so where a number can't hold them. */
function plain(value: Json, depth: number): Json {
  if (!isObject(value) || depth > 64) return null;
  if ('stringValue' in value) return value.stringValue ?? null;
  if ('boolValue' in value) return value.boolValue ?? null;
  if ('doubleValue' in value) return value.doubleValue ?? null;
  if ('intValue' in value) {
    const number = Number(value.intValue);
    return Number.isSafeInteger(number) ? number : (value.intValue ?? null);
  }
  if (isObject(value.arrayValue)) {
    const { values } = value.arrayValue;
    return isArray(values) ? values.map((each) => plain(each, depth + 1)) : [];
  }
  if (isObject(value.kvlistValue) && isArray(value.kvlistValue.values)) {
    return Object.fromEntries(
      value.kvlistValue.values.flatMap((each): [string, Json][] =>
        isObject(each) && typeof each.key === 'string'
          ? [[each.key, plain(each.value ?? null, depth + 1)]]
          : [],
      ),
    );
  }
  return null;
}

/** An attribute that holds JSON: as text (usual), or as a value already. null where it is missing or no JSON. */
export function jsonAttribute(span: Span, key: string): Received | null {
  const value = span.attributes.get(key);
  if (value === undefined || value === null) return null;
  const read = receive(typeof value === 'string' ? value : JSON.stringify(value));
  return 'fault' in read ? null : read;
}
