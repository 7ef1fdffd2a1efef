import { type RequestChoice, readRequestChoice } from '../../../lib/requests/request-list'

type PageQuery = Record<string, string | string[] | undefined>

/** Filters of the request log, as they are in the URL. Without a filter, the text is empty. */
export interface RequestFilters {
  operation: string
  status: string
  reason: string
  from: string
  to: string
}

const DAY_MS = 86_400_000

/** Reads the filters, the page and the selected request from the URL. Invalid filters are ignored. */
export function readRequestQuery(query: PageQuery): {
  request: string
  choice: RequestChoice
  filters: RequestFilters
} {
  const { request } = query
  const choice = readRequestChoice(query)
  const { operation = '', statusClass, reason = '', since, until } = choice
  return {
    request: typeof request === 'string' ? request.slice(0, 100).trim() : '',
    choice,
    filters: {
      operation,
      status: statusClass === undefined ? '' : `${statusClass}xx`,
      reason,
      from: since === undefined ? '' : writeDay(since),
      to: until === undefined ? '' : writeDay(new Date(until.getTime() - DAY_MS)),
    },
  }
}

/** Returns the URL of the request log with these filters. Empty fields are left out. */
export function writeRequestsUrl(
  fields: Partial<RequestFilters> & { before?: string | undefined; request?: string },
): string {
  const filled = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(filled).toString()
  return query === '' ? '/account/calls' : `/account/calls?${query}`
}

function writeDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}
