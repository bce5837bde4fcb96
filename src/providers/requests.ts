/** `sluice/requests`: requests of every protocol, read into one form and written from it. */

export { appendResponse, appendResults, appendUser } from '../conversation/append.ts'
export type * from '../conversation/model-request.ts'
export { type ReadRequest, type ReadRequestOptions, readRequest } from '../conversation/read-request.ts'
export type {
  CheckedRequest,
  NameRule,
  Report,
  RequestDiagnostic,
  RequestDiagnosticCode,
  RequestFormat,
} from '../conversation/request-format.ts'
export { type WrittenRequest, writeRequest } from '../conversation/write-request.ts'
export * from './named-requests.ts'
