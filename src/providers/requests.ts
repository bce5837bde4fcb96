/** `sluice/requests`: requests of every protocol, read into one form and written from it. */

export { appendResponse, appendResults, appendUser } from '../requests/conversation/append.ts'
export type * from '../requests/conversation/model-request.ts'
export {
  type ReadRequest,
  type ReadRequestOptions,
  readRequest,
} from '../requests/conversation/read-request.ts'
export type {
  CheckedRequest,
  NameRule,
  Report,
  RequestDiagnostic,
  RequestDiagnosticCode,
  RequestFormat,
} from '../requests/conversation/request-format.ts'
export { type WrittenRequest, writeRequest } from '../requests/conversation/write-request.ts'
export * from './named-requests.ts'
