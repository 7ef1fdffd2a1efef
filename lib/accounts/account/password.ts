import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { createConcurrencySlots } from '../../../db/concurrency-slots'
import { singleton } from '../../registry'
import { tooBusy } from './account-refusal'

/** Minimum number of characters of a new password. */
export const LEAST_PASSWORD_CHARACTERS = 10
/** Longer passwords would only cost time. */
const MOST_PASSWORD_BYTES = 512

/** OWASP's lower recommendation with less parallelism: 32 MiB and about 0.1 s per hash. */
const COST = { log2N: 15, r: 8, p: 1 } as const
const HASH_BYTES = 32
const SALT_BYTES = 16
const MOST_CONCURRENT = 2
/** About two seconds of work. Further requests are refused with a request to retry. */
const MOST_WAITING = 40

/** Returns the problem of a password as a sentence for its owner. Null if there is none. */
export function findPasswordProblem(password: string): string | null {
  if ([...password].length < LEAST_PASSWORD_CHARACTERS)
    return `The password must have at least ${LEAST_PASSWORD_CHARACTERS} characters.`
  if (Buffer.byteLength(password) > MOST_PASSWORD_BYTES)
    return `The password must have at most ${MOST_PASSWORD_BYTES} bytes.`
  return null
}

/**
 * Returns a salted hash with its parameters: `scrypt$15$8$1$<salt>$<hash>`. Throws AccountRefusal when too many wait.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, { ...COST, salt })
  return ['scrypt', COST.log2N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/**
 * Returns whether a password matches a hash. Without a hash (no such account, or an account without a password), the
 * same work is done and the result is false, so that the time reveals nothing. Throws AccountRefusal when too many
 * wait.
 */
export async function verifyPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const [, log2N, r, p, salt, hash] = (passwordHash ?? DUMMY_HASH).split('$')
  const expectedHash = Buffer.from(hash ?? '', 'base64url')
  const parameters = { log2N: Number(log2N), r: Number(r), p: Number(p), salt: Buffer.from(salt ?? '', 'base64url') }
  const actualHash = await derive(password, parameters)
  return (
    actualHash.length === expectedHash.length &&
    timingSafeEqual(actualHash, expectedHash) &&
    typeof passwordHash === 'string'
  )
}

const DUMMY_HASH = [
  'scrypt',
  COST.log2N,
  COST.r,
  COST.p,
  'c2hlYWY',
  Buffer.alloc(HASH_BYTES).toString('base64url'),
].join('$')

interface Parameters {
  log2N: number
  r: number
  p: number
  salt: Buffer
}

/**
 * Runs few hashes at once, because each takes a thread of the pool that file access and name resolution also use.
 * Throws AccountRefusal `service_unavailable` when too many wait.
 */
async function derive(password: string, { log2N, r, p, salt }: Parameters): Promise<Buffer> {
  const N = 2 ** log2N
  const options = { N, r, p, maxmem: 2 * 128 * N * r }
  const run = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) =>
        error ? reject(error) : resolve(hash),
      )
    })
  const slots = singleton('password-slots', () => createConcurrencySlots(MOST_CONCURRENT))
  if (slots.status().waiting >= MOST_WAITING) throw tooBusy()
  return slots.run(run)
}
