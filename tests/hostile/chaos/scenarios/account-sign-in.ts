import { type ApiResponse, sendRequest } from '../../../contract/client'
import { type Scenario, judge, type Row } from '../scenario'
import { mean, patience } from '../patience'
import { createVisitor, makeAddress, PASSWORD } from '../visitor'

const TRIES = 1000
const ALLOWED = 10
const LEAST_TRIES = 20
const AT_ONCE = 8
/** Guesses for one email from one IPv6 /64, and from unrelated networks, with the allowed number of attempts. */
const FROM_ONE_PREFIX = 40
const FROM_ANYWHERE = { tries: 70, looked: 50 }
/** Accounts that alternate, so that no limit on one email ends the comparison of known and unknown emails. */
const KNOWN = 10
const PAIRS = 200
const LEAST_PAIRS = 24
const MOST_DIFFERENCE_MS = 20
/** The sign-in limit of an IP address. Each visitor has a different IP address. */
const BEHIND_A_PROXY = { TRUSTED_PROXIES: '1' }

/** Guesses passwords, and tries to find out who has an account. */
export const accountSignIn: Scenario = {
  name: 'account-sign-in',
  description:
    `A client sends ${TRIES.toLocaleString('en')} wrong passwords, and the server checks ${ALLOWED} of them. Known and unknown email addresses get ` +
    `the same response, and the times differ by at most ${MOST_DIFFERENCE_MS} ms.`,
  async run({ environment, times, database }) {
    const { base, account } = await environment.start(BEHIND_A_PROXY)
    const known = Array.from({ length: KNOWN }, (_, index) => `known-${index}@example.test`)
    const [email = '', second = '', third = ''] = known
    for (const one of known) await account(one, { password: PASSWORD })
    const home = makeAddress()
    await createVisitor(base, { address: home }).signIn(third, PASSWORD)
    const pairs = Math.max(LEAST_PAIRS, times(PAIRS))
    const rows = [
      await guess(base, email, Math.max(LEAST_TRIES, times(TRIES))),
      await guessFromPrefix(base, second),
      await guessFromAnywhere(base, third, home),
      ...(await enumerate('sign-in', pairs, one => signInWrongly(base, one), { known: known.slice(3) })),
    ]
    // With Postgres, every password sign-up is refused because emails must be verified.
    if (database === 'postgres')
      return [
        ...rows,
        judge('signing up with a password is refused', [
          (await signUp(base, email)).status === 403 ? undefined : 'it was not',
        ]),
      ]
    return [...rows, ...(await enumerate('sign-up', pairs, one => signUp(base, one), { known }))]
  },
}

async function guess(base: string, email: string, tries: number): Promise<Row> {
  const address = makeAddress()
  const responses: ApiResponse[] = []
  const remainingPasswords = Array.from({ length: tries }, (_, index) => `wrong password ${index}`)
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const visitor = createVisitor(base, { address })
      for (let password = remainingPasswords.pop(); password !== undefined; password = remainingPasswords.pop())
        responses.push(await visitor.signIn(email, password))
    }),
  )
  const right = await createVisitor(base, { address }).signIn(email, PASSWORD)
  const elsewhere = await createVisitor(base, { address: makeAddress() }).signIn(email, PASSWORD)
  const looked = responses.filter(({ status }) => status === 401).length
  return judge(`of ${tries} wrong passwords ${ALLOWED} are looked at; the rest, and then the right one, get 429`, [
    looked === ALLOWED ? undefined : `${looked} were looked at`,
    ...[...responses.filter(({ status }) => status !== 401), right].map(({ status, headers }) =>
      status === 429 && Number(headers['retry-after']) > 0
        ? undefined
        : `${status}, Retry-After ${String(headers['retry-after'])}`,
    ),
    elsewhere.status === 200 ? undefined : `the right password from another network got ${elsewhere.status}`,
  ])
}

/** One connection gets at least a /64, so its IP addresses count as one network. */
async function guessFromPrefix(base: string, email: string): Promise<Row> {
  const prefix = makeAddress().split(':').slice(0, 4).join(':')
  const addresses = Array.from({ length: FROM_ONE_PREFIX }, (_, index) => `${prefix}:${index.toString(16)}::1`)
  const looked = await countLooked(base, email, addresses)
  const elsewhere = await createVisitor(base, { address: makeAddress() }).signIn(email, PASSWORD)
  return judge(`of ${FROM_ONE_PREFIX} wrong passwords from the addresses of one /64 ${ALLOWED} are looked at`, [
    looked === ALLOWED ? undefined : `${looked} were looked at`,
    elsewhere.status === 200 ? undefined : `the right password from another network got ${elsewhere.status}`,
  ])
}

/** The limit slows many networks together, and the owner can still sign in from a known network. */
async function guessFromAnywhere(base: string, email: string, home: string): Promise<Row> {
  const looked = await countLooked(base, email, Array.from({ length: FROM_ANYWHERE.tries }, makeAddress))
  const stranger = await createVisitor(base, { address: makeAddress() }).signIn(email, PASSWORD)
  const owner = await createVisitor(base, { address: home }).signIn(email, PASSWORD)
  const { tries, looked: allowed } = FROM_ANYWHERE
  return judge(`of ${tries} wrong passwords from as many networks ${allowed} are looked at, and the owner gets in`, [
    looked === allowed ? undefined : `${looked} were looked at`,
    stranger.status === 429 ? undefined : `a further network got ${stranger.status}`,
    owner.status === 200 ? undefined : `the owner got ${owner.status}`,
  ])
}

/** Counts how many wrong passwords are checked, with one attempt from each IP address. */
async function countLooked(base: string, email: string, addresses: string[]): Promise<number> {
  const remainingAddresses = [...addresses]
  let looked = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let address = remainingAddresses.pop(); address !== undefined; address = remainingAddresses.pop()) {
        const { status } = await createVisitor(base, { address }).signIn(email, 'a wrong password')
        if (status === 401) looked += 1
      }
    }),
  )
  return looked
}

/** Alternates between a known and an unknown email, and compares status, body and time. */
async function enumerate(
  what: string,
  pairs: number,
  ask: (email: string) => Promise<ApiResponse>,
  { known }: { known: string[] },
): Promise<Row[]> {
  const elapsed = { known: [] as number[], unknown: [] as number[] }
  const problems: (string | undefined)[] = []
  const measure = async (kind: keyof typeof elapsed, email: string) => {
    const since = performance.now()
    const response = await ask(email)
    elapsed[kind].push(performance.now() - since)
    return response
  }
  for (let index = 0; index < pairs; index += 1) {
    const unknown = `unknown-${index}@example.test`
    const one = known[index % known.length] ?? ''
    // The order alternates between pairs.
    const first = index % 2 === 0 ? await measure('known', one) : await measure('unknown', unknown)
    const second = index % 2 === 0 ? await measure('unknown', unknown) : await measure('known', one)
    problems.push(
      first.status === second.status && first.bytes.equals(second.bytes)
        ? undefined
        : `${first.status} ${first.bytes.toString()} and ${second.status} ${second.bytes.toString()}`,
    )
  }
  const [ofKnown, ofUnknown] = [mean(middle(elapsed.known)), mean(middle(elapsed.unknown))]
  const note = `${ofKnown.toFixed(1)} ms and ${ofUnknown.toFixed(1)} ms, the middle half of ${pairs} pairs`
  return [
    judge(`${what}: a known and an unknown address get the same answer`, problems),
    judge(
      `${what}: their times differ by ${MOST_DIFFERENCE_MS} ms at most`,
      [Math.abs(ofKnown - ofUnknown) <= MOST_DIFFERENCE_MS * patience() ? undefined : note],
      note,
    ),
  ]
}

async function signInWrongly(base: string, email: string): Promise<ApiResponse> {
  return createVisitor(base, { address: makeAddress() }).signIn(email, 'a wrong password')
}

function signUp(base: string, email: string): Promise<ApiResponse> {
  return sendRequest(base, {
    path: '/api/account/sign-up',
    headers: { 'content-type': 'application/json', origin: base, 'x-forwarded-for': makeAddress() },
    body: JSON.stringify({ email, password: 'the password of a stranger' }),
  })
}

/** Removes the fastest and the slowest quarter, which depend on the machine. */
function middle(numbers: number[]): number[] {
  const quarter = Math.floor(numbers.length / 4)
  return [...numbers].sort((a, b) => a - b).slice(quarter, numbers.length - quarter)
}
