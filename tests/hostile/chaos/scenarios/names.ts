import { readZip } from '../../../support/read-zip'
import type { Answer } from '../../../contract/client'
import { makePdf } from '../../../contract/documents'
import { CallLog } from '../call-log'
import { type Scenario, judge, type Row } from '../scenario'
import { checkBooks } from '../invariants'
import { ODD_NAMES } from '../odd-names'

const EMAIL = 'names@example.test'
const CREDITS = 1000
const MOST_NAME_BYTES = 255
const DOCUMENT = makePdf({ pages: 2 })
const TOOLS = [
  { toolId: 'rotate-pdf', options: { angle: 90 } },
  { toolId: 'split-pdf', options: { mode: 'every', every: 1 } },
]
const WAYS = { JSON: 'callTool', 'a form': 'callToolAsForm' } as const

/** Files are sent under names that are no names. */
export const names: Scenario = {
  name: 'names',
  databases: ['pglite'],
  quickOn: 'pglite',
  asks:
    `${Object.keys(ODD_NAMES).length} odd file names × JSON and forms × a PDF and a ZIP: a name in the answer that ` +
    'is harmless everywhere',
  async run({ environment }) {
    const log = new CallLog()
    await environment.start()
    const client = await environment.createClient(EMAIL, { credits: CREDITS })
    log.noteTopUp(EMAIL, CREDITS)
    const rows: Row[] = []
    for (const [way, method] of Object.entries(WAYS)) {
      const faults: (string | undefined)[] = []
      for (const [what, name] of Object.entries(ODD_NAMES)) {
        for (const { toolId, options } of TOOLS)
          faults.push(
            await findFault(
              log,
              () => client[method](toolId, { name, bytes: DOCUMENT }, options),
              `${what}, ${toolId}`,
            ),
          )
      }
      rows.push(judge(`names in ${way}`, faults))
    }
    return [...rows, ...checkBooks(await environment.readBooks(), log)]
  },
}

async function findFault(log: CallLog, send: () => Promise<Answer>, what: string): Promise<string | undefined> {
  let answer: Answer | undefined
  const { error } = await log.record(EMAIL, async () => (answer = await send()))
  // A name that is empty or no text may be refused, in words; no header may hold a zero byte (RFC 9110, 5.5).
  if (answer?.status === 422 && error === 'pdf_tool_processing_failed')
    return /nothing|half|zero byte/.test(what) ? undefined : `${what}: refused: ${String(answer.json['message'])}`
  if (answer?.status !== 200) return `${what}: ${answer?.status ?? 'a broken connection'} ${error}`
  const fault = findHeaderFault(answer) ?? findEntryFault(answer)
  return fault === undefined ? undefined : `${what}: ${fault}`
}

/** A plain ASCII name and the whole one in UTF-8 (RFC 6266), neither of them a path, nothing beside them. */
function findHeaderFault({ headers }: Answer): string | undefined {
  const value = String(headers['content-disposition'])
  const [, plain, encoded] =
    /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([\w%.!#$&+^`|~-]+)$/.exec(value) ?? []
  if (headers['set-cookie'] !== undefined || headers['x-evil'] !== undefined)
    return 'the answer has a header of the name'
  if (plain === undefined || encoded === undefined) return `Content-Disposition: ${value}`
  return (
    findNameFault(plain) ??
    findNameFault(decodeURIComponent(encoded)) ??
    (/["\\]/.test(plain) ? `a quote in ${plain}` : undefined)
  )
}

function findEntryFault({ headers, bytes }: Answer): string | undefined {
  if (headers['content-type'] !== 'application/zip') return undefined
  const entries = readZip(bytes).map(({ name }) => name)
  if (new Set(entries).size !== entries.length) return `entries of one name: ${entries.join(', ')}`
  return entries.map(findNameFault).find(fault => fault !== undefined)
}

function findNameFault(name: string): string | undefined {
  if (Buffer.byteLength(name) > MOST_NAME_BYTES) return `a name of ${Buffer.byteLength(name)} bytes`
  if (!/\.(pdf|zip)$/.test(name)) return `the name ${JSON.stringify(name)} has no ending of its kind`
  return /[/\\\p{Cc}\p{Cf}]|^\.{1,2}$/u.test(name) ? `the name ${JSON.stringify(name)}` : undefined
}
