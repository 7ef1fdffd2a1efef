import { readZip } from '../../../support/read-zip'
import type { ApiResponse } from '../../../contract/client'
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

/** Sends files with invalid names. */
export const names: Scenario = {
  name: 'names',
  databases: ['pglite'],
  quickOn: 'pglite',
  description:
    `${Object.keys(ODD_NAMES).length} unusual file names in JSON and form fields, with PDF and ZIP responses. The file name in each ` +
    'response is safe on every system.',
  async run({ environment }) {
    const log = new CallLog()
    await environment.start()
    const client = await environment.createClient(EMAIL, { credits: CREDITS })
    log.noteTopUp(EMAIL, CREDITS)
    const rows: Row[] = []
    for (const [way, method] of Object.entries(WAYS)) {
      const problems: (string | undefined)[] = []
      for (const [what, name] of Object.entries(ODD_NAMES)) {
        for (const { toolId, options } of TOOLS)
          problems.push(
            await findProblem(
              log,
              () => client[method](toolId, { name, bytes: DOCUMENT }, options),
              `${what}, ${toolId}`,
            ),
          )
      }
      rows.push(judge(`names in ${way}`, problems))
    }
    return [...rows, ...checkBooks(await environment.readBooks(), log)]
  },
}

async function findProblem(log: CallLog, send: () => Promise<ApiResponse>, what: string): Promise<string | undefined> {
  let response: ApiResponse | undefined
  const { error } = await log.record(EMAIL, async () => (response = await send()))
  // A name that is empty or isn't text may be refused with an error. A header may not contain a zero byte (RFC 9110,
  // 5.5).
  if (response?.status === 422 && error === 'pdf_tool_processing_failed')
    return /nothing|half|zero byte/.test(what) ? undefined : `${what}: refused: ${String(response.json['message'])}`
  if (response?.status !== 200) return `${what}: ${response?.status ?? 'a broken connection'} ${error}`
  const problem = findHeaderProblem(response) ?? findEntryProblem(response)
  return problem === undefined ? undefined : `${what}: ${problem}`
}

/** Expects a plain ASCII name and the whole name in UTF-8 (RFC 6266). Neither is a path, and there is nothing else. */
function findHeaderProblem({ headers }: ApiResponse): string | undefined {
  const value = String(headers['content-disposition'])
  const [, plain, encoded] =
    /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([\w%.!#$&+^`|~-]+)$/.exec(value) ?? []
  if (headers['set-cookie'] !== undefined || headers['x-evil'] !== undefined)
    return 'the answer has a header of the name'
  if (plain === undefined || encoded === undefined) return `Content-Disposition: ${value}`
  return (
    findNameProblem(plain) ??
    findNameProblem(decodeURIComponent(encoded)) ??
    (/["\\]/.test(plain) ? `a quote in ${plain}` : undefined)
  )
}

function findEntryProblem({ headers, bytes }: ApiResponse): string | undefined {
  if (headers['content-type'] !== 'application/zip') return undefined
  const entries = readZip(bytes).map(({ name }) => name)
  if (new Set(entries).size !== entries.length) return `entries of one name: ${entries.join(', ')}`
  return entries.map(findNameProblem).find(problem => problem !== undefined)
}

function findNameProblem(name: string): string | undefined {
  if (Buffer.byteLength(name) > MOST_NAME_BYTES) return `a name of ${Buffer.byteLength(name)} bytes`
  if (!/\.(pdf|zip)$/.test(name)) return `the name ${JSON.stringify(name)} has no ending of its kind`
  return /[/\\\p{Cc}\p{Cf}]|^\.{1,2}$/u.test(name) ? `the name ${JSON.stringify(name)}` : undefined
}
