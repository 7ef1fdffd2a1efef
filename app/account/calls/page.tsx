import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { Metadata } from 'next'
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
export const metadata: Metadata = { title: 'Calls' }

const CALLS = 50

const STATUSES = [
  { value: '', label: 'Any status' },
  { value: '2xx', label: 'Worked (2xx)' },
  { value: '4xx', label: 'Refused (4xx)' },
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
      <h1>Calls</h1>
      <p className={records.soft}>
        Every call of your key and of the playground, kept {getConfig().CALL_LOG_DAYS} days: when, what, how it ended
        and how long it took. File names, options and content are in no log.
      </p>
      <Panel id="calls" title="Call log" aside={<a href="/api/account/calls.csv">Download as CSV</a>}>
        <form method="get" className={classes.filters}>
          <NativeSelect
            label="Call"
            name="operation"
            defaultValue={filters.operation}
            data={[{ value: '', label: 'Any call' }, ...listCallTitles()]}
          />
          <NativeSelect label="Status" name="status" defaultValue={filters.status} data={STATUSES} />
          <TextInput label="Request id" name="request" defaultValue={request} placeholder="req_…" maxLength={60} />
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
      'No call of this account has that request id. Ids look like req_ and 22 letters and digits, and a call appears ' +
      'within a second of its end.'
    )
  return operation === '' && status === ''
    ? 'No calls yet.'
    : 'No call matches. Choose any call and any status to see all.'
}

function writeQuery(fields: Record<string, string>): string {
  return new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')).toString()
}
