import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import {
  parseAccountRequest,
  runAccountCommand,
  type AccountReply,
  type AccountRequest,
} from '../accounts/account-command'
import { createLedger } from '../credits/ledger'
import { askOrDo, messageOf, type OperatorTarget } from './ask-or-do'

const USAGE =
  'Usage: npm run --silent account -- <email> [--credits N] [--rotate] [--password-stdin] [--force]\n' +
  '       npm run --silent account -- <email> --invite'

interface CommandLine extends OperatorTarget {
  arguments: string[]
  stdin: Readable
  stdout: (text: string) => void
  stderr: (text: string) => void
  /** Whether a server with this configuration can verify email addresses. */
  canVerify?: boolean
  /** The clock that decides the granted month, if the command grants it. */
  now?: () => Date
}

/**
 * Runs the account command and returns its exit code: 0 with one line of JSON on standard output, 1 for a failure and 2
 * for wrong arguments. The reason goes to standard error.
 */
export async function runAccountLine(line: CommandLine): Promise<0 | 1 | 2> {
  let request: AccountRequest
  try {
    request = await readRequest(line)
  } catch (error) {
    line.stderr(`${messageOf(error)}\n${USAGE}\n`)
    return 2
  }
  try {
    const { databaseUrl, now, canVerify } = line
    const reply = await askOrDo(request, line, database =>
      runAccountCommand(request, {
        database,
        canVerify,
        ledger: createLedger({ database, verifiedOnly: databaseUrl !== undefined, now }),
      }),
    )
    // The reply of the command, from this process or from the server.
    const { note, ...printed } = reply as AccountReply
    if (note !== undefined) line.stderr(`Note: ${note}\n`)
    line.stdout(`${JSON.stringify(printed)}\n`)
    return 0
  } catch (error) {
    line.stderr(`${messageOf(error)}\n`)
    return 1
  }
}

async function readRequest(line: CommandLine): Promise<AccountRequest> {
  const { values, positionals } = parseArgs({
    args: line.arguments,
    allowPositionals: true,
    options: {
      credits: { type: 'string' },
      rotate: { type: 'boolean' },
      'password-stdin': { type: 'boolean' },
      force: { type: 'boolean' },
      invite: { type: 'boolean' },
    },
  })
  const [email, ...rest] = positionals
  if (email === undefined || rest.length > 0) throw new Error('Pass exactly one email address.')
  if (values.credits !== undefined && !/^\d+$/.test(values.credits))
    throw new Error('--credits must be a whole number of at least 0.')
  return parseAccountRequest({
    email,
    credits: values.credits === undefined ? undefined : Number(values.credits),
    rotate: values.rotate,
    password: values['password-stdin'] ? await readPassword(line.stdin) : undefined,
    ...(values.force === true ? { force: true } : {}),
    ...(values.invite === true ? { invite: true } : {}),
  })
}

async function readPassword(stdin: Readable): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of stdin) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}
