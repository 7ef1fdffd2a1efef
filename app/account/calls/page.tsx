import type { Metadata } from 'next'
import { describePage } from '../../_server/page-metadata'
import { findAccountRequest, listAccountRequests } from '../../../lib/requests/request-list'
import { ERROR_REASONS } from '../../../lib/errors'
import { getConfig } from '../../../lib/config'
import { listOperationTitles } from '../../_server/operation-titles'
import { signedInAccount } from '../../_server/signed-in-account'
import { Panel } from '../../_ui/elements/panel'
import records from '../../_ui/elements/records.module.css'
import { RefreshWhileVisible } from '../../_ui/forms/refresh-while-visible'
import { CreditNotice } from '../credit-notice'
import { RequestDetails } from './request-details'
import { readRequestQuery, writeRequestsUrl } from './request-filters'
import { RequestTable } from './request-table'
import classes from './requests.module.css'
import { Button } from '../../_ui/elements/button'
import { SelectField, TextField } from '../../_ui/elements/field'

export const dynamic = 'force-dynamic'

type PageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export async function generateMetadata({ searchParams }: PageProps): Promise<Metadata> {
  const { request } = readRequestQuery(await searchParams)
  return describePage({
    title: request === '' ? 'Requests' : 'Request details',
    description: 'The log of your API requests: time, endpoint, status, cost and request ID.',
    path: '/account/calls',
    isPrivate: true,
  })
}

const MOST_REQUESTS = 50

const STATUSES = [
  { value: '', label: 'Any status' },
  { value: '2xx', label: 'Successful (2xx)' },
  { value: '4xx', label: 'Rejected (4xx)' },
  { value: '5xx', label: 'Failed (5xx)' },
]

const REASONS = [{ value: '', label: 'Any reason' }, ...ERROR_REASONS.map(reason => ({ value: reason, label: reason }))]

/** Milliseconds between two looks for new requests. */
const LOOK_EVERY_MS = 5000

export default async function RequestsPage({ searchParams }: PageProps) {
  const account = await signedInAccount()
  const { request, choice, filters } = readRequestQuery(await searchParams)
  const query = { ...filters, before: choice.before }
  const found = request === '' ? null : await findAccountRequest(account.id, request)
  if (found !== null)
    return (
      <>
        <CreditNotice />
        <RequestDetails request={found} listUrl={writeRequestsUrl(query)} />
      </>
    )
  const page =
    request === ''
      ? await listAccountRequests(account.id, { ...choice, limit: MOST_REQUESTS })
      : { requests: [], next: null }
  const isFiltered = request !== '' || Object.values(filters).some(value => value !== '')
  return (
    <>
      <RefreshWhileVisible everyMs={LOOK_EVERY_MS} />
      <h1>Requests</h1>
      <CreditNotice />
      <p className={records.soft}>
        All requests with your key and from the playground in the last {getConfig().CALL_LOG_DAYS} days. The log keeps
        the message of each error, which can name form fields and attachments of a file. It keeps no passwords and no
        files.
      </p>
      <Panel id="calls" title="Request log" aside={<a href="/api/account/calls.csv">Download as CSV</a>}>
        <form method="get" className={classes.filters}>
          <SelectField
            label="Endpoint"
            name="operation"
            defaultValue={filters.operation}
            choices={[{ value: '', label: 'Any endpoint' }, ...listOperationTitles()]}
          />
          <SelectField label="Status" name="status" defaultValue={filters.status} choices={STATUSES} />
          <SelectField label="Reason" name="reason" defaultValue={filters.reason} choices={REASONS} />
          <TextField type="date" label="From (UTC)" name="from" defaultValue={filters.from} />
          <TextField type="date" label="To (UTC)" name="to" defaultValue={filters.to} />
          <TextField label="Request ID" name="request" defaultValue={request} placeholder="req_…" maxLength={60} />
          <Button type="submit" look="secondary">
            Show
          </Button>
        </form>
        <RequestTable requests={page.requests} query={query} empty={describeEmptyList(request, isFiltered)} />
        <p className={records.tools}>
          {choice.before !== undefined && <a href={writeRequestsUrl(filters)}>Newest</a>}
          {page.next !== null && <a href={writeRequestsUrl({ ...filters, before: page.next })}>Older</a>}
          {isFiltered && <a href="/account/calls">Clear filters</a>}
        </p>
      </Panel>
    </>
  )
}

function describeEmptyList(request: string, isFiltered: boolean): string {
  if (request !== '')
    return (
      'Your account has no request with this ID. An ID is req_ and 22 letters and digits. Requests appear ' +
      'within 1 second after they end.'
    )
  return isFiltered ? 'No matching requests. Clear the filters to see all.' : 'No requests yet.'
}
