import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../db/client'
import type { Database } from '../../../db/database'
import { migrateDatabase } from '../../../db/migrate'
import { runAccountCommand } from '../../../lib/accounts/account-command'
import { createAccount, findByEmail, findByPassword } from '../../../lib/accounts/account/accounts'
import { authorize } from '../../../lib/accounts/key/authorize'
import { createLedger } from '../../../lib/credits/ledger'
import { askOperatorSocket, startOperatorSocket } from '../../../lib/start/operator-socket'
import { bundleScript } from '../../support/bundled-script'
import { makeDataDir } from '../../support/fresh-data-dir'
import { createDatabase, startPostgres, type TestPostgres } from '../../support/postgres'

let script: Awaited<ReturnType<typeof bundleScript>>
const folders: string[] = []
beforeAll(async () => {
  script = await bundleScript('lib/commands/account.ts')
})
afterAll(() => {
  script.remove()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const newDataDir = async () => {
  const folder = await makeDataDir()
  folders.push(folder)
  return folder
}

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-account-'))
  folders.push(folder)
  return folder
}

/** Runs the command as an operator does, in a separate process. */
async function run(environment: Record<string, string>, given: string[], stdin = '') {
  const child = spawn(process.execPath, [script.path, ...given], {
    env: { ...process.env, ...environment },
    stdio: 'pipe',
  })
  child.stdin.end(stdin)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: child.exitCode, stdout, stderr }
}

const replyOf = (stdout: string) =>
  JSON.parse(stdout) as { email: string; apiKey: string | null; creditBalance: number }

async function withServer<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ dataDir })
  await migrateDatabase(database)
  const ledger = createLedger({ database, verifiedOnly: false })
  const socket = await startOperatorSocket(dataDir, request => runAccountCommand(request, { database, ledger }))
  try {
    return await work(database)
  } finally {
    await socket.close()
    await database.close()
  }
}

describe('the account command', () => {
  it('works on the embedded database without a server, and through the server if one runs', async () => {
    const dataDir = newFolder()
    const environment = { DATA_DIR: dataDir }

    const made = await run(environment, ['Ada@Example.test'])
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toMatch(/^\{"email":"ada@example\.test","apiKey":"sheaf_live_\w{38}","creditBalance":100\}\n$/)
    expect(existsSync(join(dataDir, 'db.lock'))).toBe(false)

    await withServer(dataDir, async database => {
      const ledger = createLedger({ database, verifiedOnly: false })
      const { apiKey } = replyOf(made.stdout)
      expect(await authorize(apiKey, { database, ledger })).toMatchObject({ balance: 100 })

      const again = await run(environment, ['ada@example.test', '--credits', '25'])
      expect(again).toMatchObject({
        code: 0,
        stdout: '{"email":"ada@example.test","apiKey":null,"creditBalance":125}\n',
      })

      const rotated = replyOf((await run(environment, ['--rotate', 'ada@example.test'])).stdout)
      await expect(authorize(apiKey, { database, ledger })).rejects.toMatchObject({ code: 'invalid_api_key' })
      expect(await authorize(rotated.apiKey, { database, ledger })).toMatchObject({ balance: 125 })
    })
  })

  it('sets a password that is piped in, and only then', async () => {
    const dataDir = await newDataDir()
    await withServer(dataDir, async database => {
      expect((await run({ DATA_DIR: dataDir }, ['bob@example.test'], 'not asked for\n')).code).toBe(0)
      expect(await findByPassword('bob@example.test', 'not asked for', database)).toBeNull()
      expect(
        (await run({ DATA_DIR: dataDir }, ['bob@example.test', '--password-stdin'], 'a long password\n')).code,
      ).toBe(0)
      expect(await findByPassword('bob@example.test', 'a long password', database)).toMatchObject({
        email: 'bob@example.test',
      })
      const short = await run({ DATA_DIR: dataDir }, ['bob@example.test', '--password-stdin'], 'short\n')
      expect(short).toMatchObject({ code: 1, stdout: '' })
      expect(short.stderr).toContain('at least 10 characters')
    })
  })

  it('creates an account that nobody can take over by signing up with its email', async () => {
    const dataDir = await newDataDir()
    await withServer(dataDir, async database => {
      await run({ DATA_DIR: dataDir }, ['carol@example.test'])
      const secondSignUp = await createAccount(
        { email: 'carol@example.test', passwordHash: 'of a stranger', verified: false },
        database,
      )
      expect(secondSignUp.isNew).toBe(false)
      expect(await findByEmail('carol@example.test', database)).toMatchObject({ hasPassword: false })
    })
  })

  it('reports that the email is unverified, and must be forced to trust it if its owner could verify it', async () => {
    const dataDir = await newDataDir()
    const environment = { DATA_DIR: dataDir }
    const database = await openDatabase({ dataDir })
    await migrateDatabase(database)
    const { account } = await createAccount(
      { email: 'erin@example.test', passwordHash: 'scrypt$stranger', verified: false },
      database,
    )
    await database.close()
    const verifying = { ...environment, SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@example.test' }

    for (const option of ['--credits=5', '--rotate', '--password-stdin']) {
      const refused = await run(verifying, ['erin@example.test', option], 'a long password\n')
      expect(refused, option).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr, option).toContain("The owner of erin@example.test hasn't confirmed this account.")
      expect(refused.stderr, option).toContain(`use --force with ${option.replace('=5', '')}.`)
    }
    const forced = await run(verifying, ['erin@example.test', '--credits', '5', '--force'])
    expect(forced.code).toBe(0)
    expect(replyOf(forced.stdout)).toMatchObject({ email: 'erin@example.test', creditBalance: 105 })
    expect(forced.stdout).not.toContain('note')
    expect(forced.stderr).toMatch(/^Note: The owner of \S+ hasn't confirmed/)

    const granted = await run(environment, ['erin@example.test', '--credits', '5'])
    expect(granted).toMatchObject({
      code: 0,
      stdout: '{"email":"erin@example.test","apiKey":null,"creditBalance":110}\n',
    })
    expect(granted.stderr).toMatch(/^Note: The owner of \S+ hasn't confirmed/)
    const again = await openDatabase({ dataDir })
    expect(await findByEmail('erin@example.test', again)).toMatchObject({
      id: account?.id,
      sessionVersion: 0,
      emailVerified: null,
    })
    await again.close()
  })

  it('waits for a server that has opened the database and does not listen yet', async () => {
    const dataDir = await newDataDir()
    const database = await openDatabase({ dataDir })
    await migrateDatabase(database)
    const running = run({ DATA_DIR: dataDir }, ['dora@example.test'])
    const ledger = createLedger({ database, verifiedOnly: false })
    const socket = await startOperatorSocket(dataDir, request => runAccountCommand(request, { database, ledger }))
    expect(await running).toMatchObject({ code: 0 })
    expect(await findByEmail('dora@example.test', database)).not.toBeNull()
    await socket.close()
    await database.close()
  })

  it('explains invalid arguments, with exit code 2', async () => {
    const environment = { DATA_DIR: newFolder() }
    for (const given of [
      [],
      ['no address'],
      ['a@b.example', 'c@d.example'],
      ['a@b.example', '--credits', '-1'],
      ['a@b.example', '--credits', '1.5'],
      ['a@b.example', '--unknown'],
    ]) {
      const called = await run(environment, given)
      expect(called, given.join(' ')).toMatchObject({ code: 2, stdout: '' })
      expect(called.stderr).toContain('Usage: npm run --silent account')
    }
    expect(existsSync(join(environment.DATA_DIR, 'db'))).toBe(false)
  })

  describe('on a Postgres server', () => {
    let server: TestPostgres
    beforeAll(async () => {
      server = await startPostgres()
    })
    afterAll(() => server.stop())

    it('works beside running servers, many times at once', async () => {
      const environment = { DATA_DIR: newFolder(), DATABASE_URL: await createDatabase(server) }
      const made = await Promise.all([1, 2, 3].map(() => run(environment, ['eve@example.test', '--credits', '10'])))
      const replies = made.map(({ stdout }) => replyOf(stdout))
      expect(replies.filter(({ apiKey }) => apiKey !== null)).toHaveLength(1)
      expect(Math.max(...replies.map(({ creditBalance }) => creditBalance))).toBe(130)
      expect(existsSync(join(environment.DATA_DIR, 'db'))).toBe(false)
    })

    it('reports that the database is unavailable, with exit code 1', async () => {
      const away = await run({ DATA_DIR: newFolder(), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, [
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
