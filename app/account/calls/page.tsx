import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { Metadata } from 'next'
import { describePage } from '../../_server/page-metadata'
import { findAccountCall, listAccountCalls, readCallChoice } from '../../../lib/calls/call-list'
import { getConfig } from '../../../lib/config'
import { listCallTitles } from '../../_server/call-titles'
import { signedInAccount } from '../../_server/signed-in-account'
import { Panel } from '../../_ui/elements/panel'
import records from '../../_ui/elements/records.module.css'
import { RefreshWhileVisible } from '../../_ui/forms/refresh-while-visible'
import { CallTable } from './call-table'
import classes from './calls.module.css'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = describePage({
  title: 'Requests',
  description: 'The log of your API requests: time, endpoint, status, cost and request ID.',
  path: '/account/calls',
  isPrivate: true,
})

const CALLS = 50

const STATUSES = [
  { value: '', label: 'Any status' },
  { value: '2xx', label: 'Successful (2xx)' },
  { value: '4xx', label: 'Rejected (4xx)' },
  { value: '5xx', label: 'Failed (5xx)' },
]

export default async function CallsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const account = await signedInAccount()
  const query = await searchParams
  const request = readText(query['request']).trim()
  const choice = readCallChoice(query)
  const page =
    request === ''
      ? await listAccountCalls(account.id, { ...choice, limit: CALLS })
      : await findOne(account.id, request)
  const filters = {
    operation: choice.operation ?? '',
    status: choice.statusClass === undefined ? '' : `${choice.statusClass}xx`,
  }
  return (
    <>
      <RefreshWhileVisible />
      <h1>Requests</h1>
      <p className={records.soft}>
        All requests with your key and from the playground in the last {getConfig().CALL_LOG_DAYS} days. The log has the
        time, endpoint, status, duration, network and client. After an error, the log also has the parameter name. It
        doesn’t contain file names, option values or file content.
      </p>
      <Panel id="calls" title="Request log" aside={<a href="/api/account/calls.csv">Download as CSV</a>}>
        <form method="get" className={classes.filters}>
          <NativeSelect
            label="Endpoint"
            name="operation"
            defaultValue={filters.operation}
            data={[{ value: '', label: 'Any endpoint' }, ...listCallTitles()]}
          />
          <NativeSelect label="Status" name="status" defaultValue={filters.status} data={STATUSES} />
          <TextInput label="Request ID" name="request" defaultValue={request} placeholder="req_…" maxLength={60} />
          <Button type="submit" variant="default">
            Show
          </Button>
        </form>
        <CallTable calls={page.calls} empty={describeEmptyList(request, filters)} />
        <p className={records.tools}>
          {choice.before !== undefined && <a href={`/account/calls?${writeQuery(filters)}`}>Newest</a>}
          {page.next !== null && <a href={`/account/calls?${writeQuery({ ...filters, before: page.next })}`}>Older</a>}
        </p>
      </Panel>
    </>
  )
}

async function findOne(accountId: string, requestId: string) {
  const call = await findAccountCall(accountId, requestId)
  return { calls: call === null ? [] : [call], next: null }
}

function readText(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value.slice(0, 100) : ''
}

function describeEmptyList(request: string, { operation, status }: { operation: string; status: string }): string {
  if (request !== '')
    return (
      'Your account has no request with this ID. An ID is req_ and 22 letters and digits. Requests appear ' +
      'within 1 second after they end.'
    )
  return operation === '' && status === ''
    ? 'No requests yet.'
    : 'No matching requests. Choose any endpoint and any status to see all.'
}

function writeQuery(fields: Record<string, string>): string {
  return new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')).toString()
}
