import { askOperatorSocket } from '../../lib/start/operator-socket'

export interface AccountOptions {
  credits?: number
  rotate?: boolean
  password?: string
  /** For an account with an unverified email, if the server could verify the email. */
  force?: boolean
  /** Only invites the address. */
  invite?: boolean
}

export interface Account {
  email: string
  /** Null if the account already had a key and `rotate` was not requested. */
  apiKey: string | null
  creditBalance: number
}

/** The accounts of a service, also after it ended. */
export interface Accounts {
  /** Does what the account command does, in this process, because a process for each account takes a second of CPU. */
  account(email: string, options?: AccountOptions): Promise<Account>
  /** A fresh key of an account. Creates the account if it doesn't exist. */
  createKey(email: string, options?: Omit<AccountOptions, 'rotate'>): Promise<string>
}

/** The data of a service, and its variables. */
interface Place {
  dataDir: string
  databaseUrl: string | undefined
  env: Record<string, string | undefined>
}

/** The accounts on the data of a service. */
export function accountsOf(place: Place): Accounts {
  const account: Accounts['account'] = (email, options = {}) => runAccount(place, email, options)
  return {
    account,
    createKey: async (email, options = {}) => {
      const { apiKey } = await account(email, { ...options, rotate: true })
      if (apiKey === null) throw new Error('the account command rotated a key and gave none')
      return apiKey
    },
  }
}

async function runAccount(place: Place, email: string, options: AccountOptions): Promise<Account> {
  const request = { email, ...options }
  // The modules of `work` take a while to load, and a running service with an embedded database doesn't need them.
  const reply = place.databaseUrl === undefined ? await askOperatorSocket(place.dataDir, request) : undefined
  const { apiKey, creditBalance, ...rest } = (reply ?? (await work(place, request))) as Account // See AccountReply.
  return { email: rest.email, apiKey, creditBalance }
}

/** Does what lib/commands/account.ts does. */
async function work({ dataDir, databaseUrl, env }: Place, request: unknown): Promise<unknown> {
  const [{ askOrDo }, { runAccountCommand }, { readConfig }, { createClock, createLedger }, { canVerifyAddresses }] =
    await Promise.all([
      import('../../lib/commands/ask-or-do'),
      import('../../lib/accounts/account-command'),
      import('../../lib/config'),
      import('../../lib/credits/ledger'),
      import('../../lib/accounts/sign-in/sign-in-ways'),
    ])
  const config = readConfig(env)
  return askOrDo(request, { dataDir, ...(databaseUrl === undefined ? {} : { databaseUrl }) }, database =>
    runAccountCommand(request, {
      database,
      canVerify: canVerifyAddresses(config),
      ledger: createLedger({
        database,
        verifiedOnly: databaseUrl !== undefined,
        now: createClock(config.CLOCK_OFFSET_MS),
      }),
    }),
  )
}
