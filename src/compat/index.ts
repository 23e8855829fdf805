export { type RecordOf, recordsFrom } from './export-record.ts';
export { type ImportedRecord, importRecords, type RecordsInto } from './import-records.ts';
export { type ReadRecord, readRecords } from './read-records.ts';
export { type BesideRun, renderRecord } from './render-record.ts';
export {
  SKELETON_VERSIONS,
  type SkeletonDecision,
  SkeletonRecord,
  type SkeletonVersion,
  skeletonRecordJsonSchema,
} from './skeleton-record.ts';
