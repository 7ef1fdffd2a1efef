import { describe, expect, it } from 'vitest'
import { createKeyOwners } from '../../db/key-owners'

const month = '2026-11'
const ada = { keyId: 'k1', accountId: 'ada', balance: 7 }
const ben = { keyId: 'k2', accountId: 'ben', balance: 3 }
const always = () => true

describe('the owners of keys', () => {
  it('are cached for the current month', async () => {
    const owners = createKeyOwners({ isExact: true })
    expect(await owners.load({ hash: 'a', month }, () => Promise.resolve(ada), always)).toEqual(ada)
    await owners.load(
      { hash: 'b', month },
      () => Promise.resolve(ben),
      () => false,
    )
    await owners.load({ hash: 'c', month }, () => Promise.resolve(undefined), always)
    expect(owners.find('a', month)).toMatchObject(ada)
    expect(owners.find('a', '2026-12')).toBeUndefined()
    expect(['b', 'c'].map(hash => owners.find(hash, month))).toEqual([undefined, undefined])
  })

  it('are looked up again after a minute if they had not paid, because they may have paid since', async () => {
    let now = 0
    const owners = createKeyOwners({ isExact: true, nowMs: () => now })
    await owners.load({ hash: 'a', month }, () => Promise.resolve(ada), always)
    await owners.load({ hash: 'b', month }, () => Promise.resolve({ ...ben, hasPaid: true }), always)
    now = 60_000
    expect(owners.find('a', month)).toMatchObject({ hasPaid: false })
    now = 60_001
    expect(owners.find('a', month)).toBeUndefined()
    expect(owners.find('b', month)).toMatchObject({ hasPaid: true })
  })

  it('are removed with an account, and not cached from a lookup that began before', async () => {
    const owners = createKeyOwners({ isExact: true })
    await owners.load({ hash: 'a', month }, () => Promise.resolve(ada), always)
    await owners.load({ hash: 'b', month }, () => Promise.resolve(ben), always)
    let end: (found: typeof ada) => void = () => {}
    const late = owners.load(
      { hash: 'older', month },
      () => new Promise<typeof ada>(resolve => (end = resolve)),
      always,
    )
    owners.forget('ada')
    end(ada)
    expect(await late).toEqual(ada)
    expect(['a', 'older'].map(hash => owners.find(hash, month))).toEqual([undefined, undefined])
    expect(owners.find('b', month)).toMatchObject(ben)
  })

  it('have the balance of the latest charge, until it is too low for a request', async () => {
    const owners = createKeyOwners({ isExact: false })
    owners.recordBalance('ada', 8)
    await owners.load({ hash: 'a', month }, () => Promise.resolve(ada), always)
    expect(owners.find('a', month)).toMatchObject({ balance: 7 })
    owners.recordBalance('ada', 6)
    expect(owners.find('a', month)).toMatchObject({ balance: 6 })
    owners.recordBalance('ada', 0)
    expect(owners.find('a', month)).toBeUndefined()
  })

  it('are removed if a later lookup finds that their key has ended', async () => {
    const owners = createKeyOwners({ isExact: false })
    const ended = () => false
    await owners.load({ hash: 'a', month }, () => Promise.resolve(ada), always)
    await owners.load({ hash: 'a', month }, () => Promise.resolve(ada), ended)
    expect(owners.find('a', month)).toBeUndefined()
    await owners.load({ hash: 'a', month }, () => Promise.resolve(ada), always)
    await owners.load({ hash: 'a', month }, () => Promise.resolve(undefined), always)
    expect(owners.find('a', month)).toBeUndefined()
  })

  it('have a limit, and the oldest is removed first', async () => {
    const owners = createKeyOwners({ isExact: true, maxOwners: 2 })
    for (const hash of ['a', 'b', 'c'])
      await owners.load({ hash, month }, () => Promise.resolve({ ...ada, accountId: hash }), always)
    expect(['a', 'b', 'c'].map(hash => owners.find(hash, month) !== undefined)).toEqual([false, true, true])
  })
})
