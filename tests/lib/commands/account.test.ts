import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../db/client'
import type { Database } from '../../../db/database'
import { migrateDatabase } from '../../../db/migrate'
import { runAccountCommand } from '../../../lib/accounts/account-command'
import { createAccount, findByEmail, findByPassword } from '../../../lib/accounts/account/accounts'
import { authorize } from '../../../lib/accounts/key/authorize'
import { runAccountLine } from '../../../lib/commands/account-line'
import { createLedger } from '../../../lib/credits/ledger'
import { askOperatorSocket, startOperatorSocket } from '../../../lib/start/operator-socket'
import { bundleScript } from '../../support/bundled-script'
import { makeDataDir } from '../../support/fresh-data-dir'
import { createSharedDatabase } from '../../support/shared-services'

let script: Awaited<ReturnType<typeof bundleScript>>
/** The data folder of the tests on an embedded database. Each test has its own email addresses. */
let dataDir: string
const folders: string[] = []
beforeAll(async () => {
  script = await bundleScript('lib/commands/account.ts')
  dataDir = await makeDataDir()
  folders.push(dataDir)
})
afterAll(() => {
  script.remove()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-account-'))
  folders.push(folder)
  return folder
}

/** Runs the command as an operator does, in a separate process. */
async function start(environment: Record<string, string>, given: string[], stdin = '') {
  const child = spawn(process.execPath, [script.path, ...given], {
    env: { ...process.env, ...environment },
    stdio: 'pipe',
  })
  child.stdin.end(stdin)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: child.exitCode, stdout, stderr }
}

/** Runs the command in this process. */
async function run(
  given: string[],
  { stdin = '', ...place }: { stdin?: string; dataDir?: string; databaseUrl?: string } = {},
) {
  const printed = { stdout: '', stderr: '' }
  const code = await runAccountLine({
    arguments: given,
    stdin: Readable.from([stdin]),
    stdout: part => (printed.stdout += part),
    stderr: part => (printed.stderr += part),
    dataDir,
    ...place,
  })
  return { code, ...printed }
}

const replyOf = (stdout: string) =>
  JSON.parse(stdout) as { email: string; apiKey: string | null; creditBalance: number }

describe('the account command', () => {
  it('works on the embedded database without a server, with the settings of its environment', async () => {
    const made = await start({ DATA_DIR: dataDir }, ['Ada@Example.test'])
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toMatch(/^\{"email":"ada@example\.test","apiKey":"sheaf_live_\w{38}","creditBalance":100\}\n$/)
    expect(existsSync(join(dataDir, 'db.lock'))).toBe(false)

    const database = await openDatabase({ dataDir })
    const ledger = createLedger({ database, verifiedOnly: false })
    expect(await authorize(replyOf(made.stdout).apiKey, { database, ledger })).toMatchObject({ balance: 100 })
    await createAccount({ email: 'finn@example.test', passwordHash: 'scrypt$stranger', verified: false }, database)
    await database.close()

    const verifying = { DATA_DIR: dataDir, SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@example.test' }
    const refused = await start(verifying, ['finn@example.test', '--rotate'])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('use --force with --rotate.')
  })

  it('explains invalid arguments, with exit code 2', async () => {
    const folder = newFolder()
    const called = [await start({ DATA_DIR: folder }, ['a@b.example', '--unknown'])]
    for (const given of [
      [],
      ['no address'],
      ['a@b.example', 'c@d.example'],
      ['a@b.example', '--credits', '-1'],
      ['a@b.example', '--credits', '1.5'],
    ])
      called.push(await run(given, { dataDir: folder }))
    for (const { stderr, ...result } of called) {
      expect(result).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain('Usage: npm run --silent account')
    }
    expect(existsSync(join(folder, 'db'))).toBe(false)
  })

  describe('beside a server', () => {
    let database: Database
    beforeAll(async () => {
      database = await openDatabase({ dataDir })
      await migrateDatabase(database)
    })
    afterAll(() => database.close())

    async function withServer<T>(work: () => Promise<T>, { canVerify = false } = {}): Promise<T> {
      const ledger = createLedger({ database, verifiedOnly: false })
      const socket = await startOperatorSocket(dataDir, request =>
        runAccountCommand(request, { database, ledger, canVerify }),
      )
      try {
        return await work()
      } finally {
        await socket.close()
      }
    }

    it('sends its request to the server', () =>
      withServer(async () => {
        const ledger = createLedger({ database, verifiedOnly: false })
        const { apiKey } = replyOf((await run(['gwen@example.test'])).stdout)
        expect(await start({ DATA_DIR: dataDir }, ['gwen@example.test', '--credits', '25'])).toEqual({
          code: 0,
          stdout: '{"email":"gwen@example.test","apiKey":null,"creditBalance":125}\n',
          stderr: '',
        })
        const rotated = replyOf((await run(['--rotate', 'gwen@example.test'])).stdout)
        await expect(authorize(apiKey, { database, ledger })).rejects.toMatchObject({ code: 'invalid_api_key' })
        expect(await authorize(rotated.apiKey, { database, ledger })).toMatchObject({ balance: 125 })
      }))

    it('sets a password that is piped in, and only then', () =>
      withServer(async () => {
        const email = 'bob@example.test'
        expect((await run([email], { stdin: 'not asked for\n' })).code).toBe(0)
        expect(await findByPassword(email, 'not asked for', database)).toBeNull()
        const given = [email, '--password-stdin']
        expect((await start({ DATA_DIR: dataDir }, given, 'a long password\n')).code).toBe(0)
        expect(await findByPassword(email, 'a long password', database)).toMatchObject({ email })
        const short = await run(given, { stdin: 'short\n' })
        expect(short).toMatchObject({ code: 1, stdout: '' })
        expect(short.stderr).toContain('at least 10 characters')
      }))

    it('creates an account that nobody can take over by signing up with its email', () =>
      withServer(async () => {
        await run(['carol@example.test'])
        const secondSignUp = await createAccount(
          { email: 'carol@example.test', passwordHash: 'of a stranger', verified: false },
          database,
        )
        expect(secondSignUp.isNew).toBe(false)
        expect(await findByEmail('carol@example.test', database)).toMatchObject({ hasPassword: false })
      }))

    it('reports that the email is unverified, and must be forced to trust it if its owner could verify it', async () => {
      const email = 'erin@example.test'
      const { account } = await createAccount({ email, passwordHash: 'scrypt$stranger', verified: false }, database)
      await withServer(
        async () => {
          for (const option of ['--credits=5', '--rotate', '--password-stdin']) {
            const refused = await run([email, option], { stdin: 'a long password\n' })
            expect(refused, option).toMatchObject({ code: 1, stdout: '' })
            expect(refused.stderr, option).toContain(`The owner of ${email} hasn't confirmed this account.`)
            expect(refused.stderr, option).toContain(`use --force with ${option.replace('=5', '')}.`)
          }
          const forced = await run([email, '--credits', '5', '--force'])
          expect(forced.code).toBe(0)
          expect(replyOf(forced.stdout)).toMatchObject({ email, creditBalance: 105 })
          expect(forced.stdout).not.toContain('note')
          expect(forced.stderr).toMatch(/^Note: The owner of \S+ hasn't confirmed/)
        },
        { canVerify: true },
      )
      await withServer(async () => {
        const granted = await run([email, '--credits', '5'])
        expect(granted).toMatchObject({
          code: 0,
          stdout: '{"email":"erin@example.test","apiKey":null,"creditBalance":110}\n',
        })
        expect(granted.stderr).toMatch(/^Note: The owner of \S+ hasn't confirmed/)
      })
      expect(await findByEmail(email, database)).toMatchObject({
        id: account?.id,
        sessionVersion: 0,
        emailVerified: null,
      })
    })

    it('waits for a server that has opened the database and does not listen yet', async () => {
      const running = run(['dora@example.test'])
      await withServer(async () => expect(await running).toMatchObject({ code: 0 }))
      expect(await findByEmail('dora@example.test', database)).not.toBeNull()
    })
  })

  describe('on a Postgres server', () => {
    it('works beside running servers, many times at once', async () => {
      const place = { dataDir: newFolder(), databaseUrl: await createSharedDatabase() }
      const made = await Promise.all([1, 2, 3].map(() => run(['eve@example.test', '--credits', '10'], place)))
      const replies = made.map(({ stdout }) => replyOf(stdout))
      expect(replies.filter(({ apiKey }) => apiKey !== null)).toHaveLength(1)
      expect(Math.max(...replies.map(({ creditBalance }) => creditBalance))).toBe(130)
      expect(existsSync(join(place.dataDir, 'db'))).toBe(false)
    })

    it('reports that the database is unavailable, with exit code 1', async () => {
      const away = await start({ DATA_DIR: newFolder(), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, [
        'eve@example.test',
      ])
      expect(away).toMatchObject({ code: 1, stdout: '' })
      expect(away.stderr).toContain('Check DATABASE_URL')
    })
  })
})

describe('the operator socket', () => {
  const echo = async (request: unknown) => ({ heard: request })

  it('is accessible to its owner only, and is removed when it is closed', async () => {
    const dataDir = newFolder()
    const socket = await startOperatorSocket(dataDir, echo)
    expect(statSync(join(dataDir, 'operator.sock')).mode & 0o777).toBe(0o600)
    expect(await askOperatorSocket(dataDir, { a: 1 })).toEqual({ heard: { a: 1 } })
    await socket.close()
    expect(existsSync(join(dataDir, 'operator.sock'))).toBe(false)
    expect(await askOperatorSocket(dataDir, {})).toBeUndefined()
  })

  it('replaces the socket of a killed server', async () => {
    const dataDir = newFolder()
    writeFileSync(join(dataDir, 'operator.sock'), '')
    const socket = await startOperatorSocket(dataDir, echo)
    expect(await askOperatorSocket(dataDir, 'x')).toEqual({ heard: 'x' })
    await socket.close()
  })

  it('is in another private folder if its path would be too long', async () => {
    const dataDir = join(newFolder(), 'a'.repeat(120))
    const socket = await startOperatorSocket(dataDir, echo)
    const place = readFileSync(join(dataDir, 'operator.path'), 'utf8')
    expect(statSync(dirname(place)).mode & 0o777).toBe(0o700)
    expect(await askOperatorSocket(dataDir, 'x')).toEqual({ heard: 'x' })
    await socket.close()
    expect(existsSync(dirname(place))).toBe(false)
    expect(existsSync(join(dataDir, 'operator.path'))).toBe(false)
  })

  it('returns the reason for a refusal, and survives invalid input', async () => {
    const dataDir = newFolder()
    const socket = await startOperatorSocket(dataDir, () => Promise.reject(new Error('not like this')))
    await expect(askOperatorSocket(dataDir, {})).rejects.toThrow('not like this')
    const rude = createConnection(join(dataDir, 'operator.sock'))
    rude.end('no json\n')
    expect(await text(rude)).toMatch(/^\{"error":/)
    const endless = createConnection(join(dataDir, 'operator.sock'))
    endless.write('x'.repeat(100_000))
    expect(await text(endless)).toContain('too long')
    await expect(askOperatorSocket(dataDir, {})).rejects.toThrow('not like this')
    await socket.close()
  })

  it('finishes its requests before it closes, and does not wait for idle clients', async () => {
    const dataDir = newFolder()
    let finish = () => {}
    let heard = () => {}
    const wasHeard = new Promise<void>(resolve => (heard = resolve))
    const socket = await startOperatorSocket(dataDir, () => {
      heard()
      return new Promise(resolve => (finish = () => resolve('done')))
    })
    const idleClient = createConnection(join(dataDir, 'operator.sock'))
    idleClient.on('error', () => {})
    await once(idleClient, 'connect')
    const reply = askOperatorSocket(dataDir, {})
    await wasHeard
    const closed = socket.close()
    finish()
    expect(await reply).toBe('done')
    await closed
  })
})
