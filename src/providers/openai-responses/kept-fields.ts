/**
 * Fields of items that the API wants back as they came, beside what the events say: in `metadata` under names in camel
 * case, on the wire under their own.
 */

import type { Fields } from '../../base/fields.ts'

const FIELDS: Readonly<Record<string, string>> = {
  approval_request_id: 'approvalRequestId',
  caller: 'caller',
  container_id: 'containerId',
  environment: 'environment',
  execution: 'execution',
  fingerprint: 'fingerprint',
  max_output_length: 'maxOutputLength',
  namespace: 'namespace',
  pending_safety_checks: 'pendingSafetyChecks',
  phase: 'phase',
  server_label: 'serverLabel',
}

/** The fields of an item, for metadata. */
export function keptOf(item: Fields): Fields {
  return renamed(Object.entries(FIELDS), item)
}

/** The fields in metadata, for an item. */
export function keptIn(metadata: Fields): Fields {
  return renamed(
    Object.entries(FIELDS).map(([wire, name]) => [name, wire]),
    metadata,
  )
}

function renamed(names: readonly (readonly [string, string])[], fields: Fields): Fields {
  const found = names.flatMap(([from, to]) => {
    const value = fields[from]
    const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0)
    return isEmpty ? [] : [[to, value] as const]
  })
  return Object.fromEntries(found)
}
