import { RequestError } from '../../errors'

/** Sizes in bytes. */
interface BodyMemorySettings {
  /** Maximum for all bodies over `smallBytes` together. */
  maxBytes: number
  /** The share of the memory that one account may hold, from 0 to 1. */
  accountShare: number
  /** Bodies up to this size use a separate reserve. */
  smallBytes: number
  reserveBytes: number
  /** How long a body may wait for memory. */
  timeoutMs: number
}

/** The memory held by the body of one request. */
export interface BodyShare {
  /**
   * Counts bytes before they are held. If this method returns a promise, stop reading until the promise resolves. The
   * promise rejects with RequestError `rate_limited` if the account's share stayed used up, and with `service_unavailable`
   * if the server's memory stayed used up.
   */
  take(bytes: number): Promise<void> | undefined
  /** Releases all memory and ends a wait. */
  close(): void
}

/** A memory budget for all bodies that are held at the same time. */
export interface BodyMemory {
  /** `announcedBytes` is the request's Content-Length. Undefined for a chunked body. */
  open(accountId: string, announcedBytes: number | undefined): BodyShare
  /** Bytes that are counted now. */
  readonly used: number
}

type Pool = 'small' | 'large'

interface AccountUsage extends Record<Pool, number> {
  shares: number
}

interface Body {
  account: AccountUsage
  pool: Pool
  /** Bytes that were counted. */
  held: number
  /** Bytes that the body claims of its account's share: its full announced size, from the first byte on. */
  claimed: number
  announced: number
}

interface Waiter {
  body: Body
  bytes: number
  resume: () => void
  timer: NodeJS.Timeout
}

/**
 * Creates a memory budget. Small bodies have a reserve, so they never wait for large bodies. Before a large body is
 * read, it claims its announced size of the account's share. So the bodies of one account can't deadlock while half
 * read. Over the budget, bodies wait in order of arrival, for a limited time. The oldest large body never waits for the
 * server's memory, so bodies of several accounts can't deadlock either. That one body can exceed the budget.
 */
export function createBodyMemory(settings: BodyMemorySettings): BodyMemory {
  return new Memory(settings)
}

class Memory implements BodyMemory {
  private readonly accounts = new Map<string, AccountUsage>()
  private readonly total: Record<Pool, number> = { small: 0, large: 0 }
  /** Large bodies, ordered by when they became large. */
  private readonly large = new Set<Body>()
  private readonly waiting: Waiter[] = []

  constructor(private readonly settings: BodyMemorySettings) {}

  get used(): number {
    return this.total.small + this.total.large
  }

  open(accountId: string, announcedBytes: number | undefined): BodyShare {
    const account = this.accounts.get(accountId) ?? { small: 0, large: 0, shares: 0 }
    this.accounts.set(accountId, account)
    account.shares++
    const announced = announcedBytes ?? 0
    const pool = announced > this.settings.smallBytes ? 'large' : 'small'
    const body: Body = { account, pool, held: 0, claimed: 0, announced }
    if (pool === 'large') this.large.add(body)
    let isOpen = true
    return {
      take: bytes => this.take(body, bytes),
      close: () => {
        if (!isOpen) return
        isOpen = false
        this.close(body)
        if (--account.shares === 0) this.accounts.delete(accountId)
      },
    }
  }

  private take(body: Body, bytes: number): Promise<void> | undefined {
    if (body.pool === 'small' && !this.fitsReserve(body, bytes)) this.moveToLarge(body)
    const isBehind = body.pool === 'large' && !this.isOldest(body) && this.waiting.some(one => this.fitsAccount(one))
    if (body.pool === 'small' || (!isBehind && this.fits({ body, bytes }))) {
      this.count(body, bytes)
      return undefined
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1)
        reject(this.fitsAccount(waiter) ? noServerMemory() : noAccountMemory())
        this.admit()
      }, this.settings.timeoutMs)
      const waiter: Waiter = { body, bytes, resume: resolve, timer }
      this.waiting.push(waiter)
    })
  }

  private fitsReserve({ account, held }: Body, bytes: number): boolean {
    const { smallBytes, reserveBytes, accountShare } = this.settings
    if (held + bytes > smallBytes) return false
    return this.total.small + bytes <= reserveBytes && account.small + bytes <= accountShare * reserveBytes
  }

  private moveToLarge(body: Body): void {
    const { held, account } = body
    this.total.small -= held
    account.small -= held
    body.pool = 'large'
    body.claimed = held
    this.total.large += held
    account.large += held
    this.large.add(body)
  }

  private fits({ body, bytes }: Pick<Waiter, 'body' | 'bytes'>): boolean {
    const hasRoom = this.total.large + bytes <= this.settings.maxBytes || this.isOldest(body)
    return hasRoom && this.fitsAccount({ body, bytes })
  }

  /** Whether the account's share has room for the claim of the body. A single body may have any size. */
  private fitsAccount({ body, bytes }: Pick<Waiter, 'body' | 'bytes'>): boolean {
    const { maxBytes, accountShare } = this.settings
    const otherBytes = body.account.large - body.claimed
    return otherBytes === 0 || otherBytes + claimOf(body, bytes) <= accountShare * maxBytes
  }

  private isOldest(body: Body): boolean {
    return this.large.values().next().value === body
  }

  private count(body: Body, bytes: number): void {
    const { account, pool } = body
    this.total[pool] += bytes
    if (pool === 'small') account.small += bytes
    else {
      const claim = claimOf(body, bytes)
      account.large += claim - body.claimed
      body.claimed = claim
    }
    body.held += bytes
  }

  /** Resumes waiting bodies if there is room. A body that waits for its own account doesn't block others. */
  private admit(): void {
    let isFull = false
    for (let index = 0; index < this.waiting.length;) {
      const waiter = this.waiting[index] as Waiter // The condition of the loop guarantees this entry.
      const mayPass = !isFull || this.isOldest(waiter.body)
      if (mayPass && this.fits(waiter)) {
        this.waiting.splice(index, 1)
        clearTimeout(waiter.timer)
        this.count(waiter.body, waiter.bytes)
        waiter.resume()
        continue
      }
      isFull ||= this.fitsAccount(waiter)
      index++
    }
  }

  private close(body: Body): void {
    const { account, pool } = body
    this.total[pool] -= body.held
    if (pool === 'small') account.small -= body.held
    else account.large -= body.claimed
    this.large.delete(body)
    for (const waiter of this.waiting.filter(one => one.body === body)) {
      this.waiting.splice(this.waiting.indexOf(waiter), 1)
      clearTimeout(waiter.timer)
      waiter.resume()
    }
    this.admit()
  }
}

function claimOf({ held, announced }: Body, bytes: number): number {
  return Math.max(held + bytes, announced)
}

const RETRY = { headers: { 'Retry-After': '5' } }

function noAccountMemory(): RequestError {
  const message =
    'Upload limit reached: running uploads use all upload memory of your account. Retry after 5 seconds, or send ' +
    'fewer large files at the same time.'
  return new RequestError('rate_limited', message, RETRY)
}

function noServerMemory(): RequestError {
  return new RequestError(
    'service_unavailable',
    'The server has no memory left for this upload. Retry after 5 seconds.',
    RETRY,
  )
}
