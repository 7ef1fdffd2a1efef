import { CallError } from '../../errors'

/** Sizes in bytes. */
interface BodyMemorySettings {
  /** Of all bodies over `smallBytes` together. */
  maxBytes: number
  /** The share of the memory that one account may hold, from 0 to 1. */
  accountShare: number
  /** Bodies up to this size have a reserve of their own. */
  smallBytes: number
  reserveBytes: number
  /** How long a body may wait for memory. */
  timeoutMs: number
}

/** The memory that one request's body holds. */
export interface BodyShare {
  /**
   * Counts bytes that are about to be held. A promise means: read no further until it resolves. It rejects with
   * CallError `rate_limited` if the account's share stayed used up, `service_unavailable` if the server's memory did.
   */
  take(bytes: number): Promise<void> | undefined
  /** Lets go of everything; also ends a wait. */
  close(): void
}

/** A budget of memory for the bodies that are held at the same time. */
export interface BodyMemory {
  /** `announcedBytes` is the request's Content-Length; undefined for a chunked body. */
  open(accountId: string, announcedBytes: number | undefined): BodyShare
  /** Bytes counted at the moment. */
  readonly used: number
}

type Pool = 'small' | 'large'

interface Held extends Record<Pool, number> {
  shares: number
}

interface Body {
  account: Held
  pool: Pool
  /** Bytes that were counted. */
  held: number
  /** Bytes of the account's share that the body has: all that it announced, from its first byte on. */
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
 * Makes a budget. Small bodies have a reserve, so that they never wait for large ones. A large body claims its
 * announced size of the account's share before it is read: the bodies of one account can't wait for each other half
 * read. Over the budget bodies wait, for a limited time and in the order in which they asked. The oldest large body
 * never waits for the server's memory, so that half-read bodies of several accounts can't wait for each other either;
 * the budget can be exceeded by that one body.
 */
export function createBodyMemory(settings: BodyMemorySettings): BodyMemory {
  return new Memory(settings)
}

class Memory implements BodyMemory {
  private readonly accounts = new Map<string, Held>()
  private readonly total: Record<Pool, number> = { small: 0, large: 0 }
  /** Large bodies in the order in which they became large. */
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

  /** Whether the account's share has room for what the body claims. One body alone may be as large as it likes. */
  private fitsAccount({ body, bytes }: Pick<Waiter, 'body' | 'bytes'>): boolean {
    const { maxBytes, accountShare } = this.settings
    const others = body.account.large - body.claimed
    return others === 0 || others + claimOf(body, bytes) <= accountShare * maxBytes
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

  /** Lets those who wait go on as far as there is room. Who waits for its own account holds up nobody else. */
  private admit(): void {
    let isFull = false
    for (let index = 0; index < this.waiting.length;) {
      const waiter = this.waiting[index] as Waiter // as the loop's condition says
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

function noAccountMemory(): CallError {
  const message =
    'Uploads of this account already use its share of the upload memory. Send fewer large files at the same time'
  return new CallError('rate_limited', message, RETRY)
}

function noServerMemory(): CallError {
  return new CallError(
    'service_unavailable',
    'The server has no memory left for this upload. Try again in a few seconds',
    RETRY,
  )
}
