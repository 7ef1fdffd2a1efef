import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../db/client'
import { explainRefusedSettings, isDatabaseAway } from '../../db/database-away'
import { isFolderLocked } from '../../db/lock-file'
import { migrateDatabase } from '../../db/migrate'
import { parseAccountRequest, runAccountCommand, type AccountRequest } from '../accounts/account-command'
import { createLedger } from '../credits/ledger'
import { askOperatorSocket } from './operator-socket'

const USAGE = 'Usage: npm run --silent account -- <email> [--credits N] [--rotate] [--password-stdin]'

/** How long to wait for a server that holds the embedded database and does not answer yet, or not any more. */
const PATIENCE_MS = 60_000
const RETRY_MS = 250

interface CommandLine {
  arguments: string[]
  stdin: Readable
  stdout: (text: string) => void
  stderr: (text: string) => void
  dataDir: string
  databaseUrl?: string
  /** What the address leads to. */
  pooling?: 'session' | 'transaction'
  /** Decides which month is granted, where the command does it itself. */
  now?: () => Date
  patienceMs?: number
}

/**
 * Runs the account command and gives its exit code: 0, with one line of JSON on standard output; 1 when it could not be
 * done and 2 when it was called wrongly, with the reason on standard error.
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
    const reply = await askOrDo(request, line)
    line.stdout(`${JSON.stringify(reply)}\n`)
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
    options: { credits: { type: 'string' }, rotate: { type: 'boolean' }, 'password-stdin': { type: 'boolean' } },
  })
  const [email, ...rest] = positionals
  if (email === undefined || rest.length > 0) throw new Error('Give one e-mail address.')
  if (values.credits !== undefined && !/^\d+$/.test(values.credits)) throw new Error('--credits takes a whole number from 0 on.')
  return parseAccountRequest({
    email,
    credits: values.credits === undefined ? undefined : Number(values.credits),
    rotate: values.rotate,
    password: values['password-stdin'] ? await readPassword(line.stdin) : undefined,
  })
}

async function readPassword(stdin: Readable): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of stdin) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8').replace(/\r?\n$/, '')
}

/** A Postgres server is worked on directly; an embedded database through the server that has it open, if there is one. */
async function askOrDo(request: AccountRequest, line: CommandLine): Promise<unknown> {
  if (line.databaseUrl !== undefined) return doItself(request, line)
  const deadline = Date.now() + (line.patienceMs ?? PATIENCE_MS)
  for (;;) {
    const reply = await askOperatorSocket(line.dataDir, request)
    if (reply !== undefined) return reply
    try {
      return await doItself(request, line)
    } catch (error) {
      if (!isFolderLocked(error) || Date.now() > deadline) throw error
    }
    await wait(RETRY_MS)
  }
}

async function doItself(request: AccountRequest, { dataDir, databaseUrl, pooling, now }: CommandLine): Promise<unknown> {
  const database = await openDatabase({ dataDir, databaseUrl, pooling, purpose: 'command' })
  try {
    await migrateDatabase(database)
    return await runAccountCommand(request, { database, ledger: createLedger({ database, verifiedOnly: databaseUrl !== undefined, now }) })
  } finally {
    await database.close()
  }
}

function messageOf(error: unknown): string {
  const refused = explainRefusedSettings(error)
  if (refused !== undefined) return refused
  if (isDatabaseAway(error)) return 'The database cannot be reached; check DATABASE_URL and that the server runs.'
  return error instanceof Error ? error.message.split('\nparams:')[0] ?? '' : String(error)
}
