import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { describe, expect, it, vi } from 'vitest'
import { findPasswordProblem, hashPassword, verifyPassword } from '../../../../lib/accounts/account/password'

describe('a password', () => {
  it('matches its hash, and no other password does', async () => {
    const hash = await hashPassword('correct horse battery')
    expect(await verifyPassword('correct horse battery', hash)).toBe(true)
    expect(await verifyPassword('correct horse batterx', hash)).toBe(false)
    expect(await verifyPassword('', hash)).toBe(false)
  })

  it('matches however its accents were typed', async () => {
    const hash = await hashPassword('caf\u00e9 au lait')
    expect(await verifyPassword('cafe\u0301 au lait', hash)).toBe(true)
  })

  it('is hashed with a unique salt, and the hash contains the parameters', async () => {
    const [one, two] = await Promise.all([hashPassword('the same one'), hashPassword('the same one')])
    expect(one).toMatch(/^scrypt\$15\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    expect(one).not.toBe(two)
  })

  it('is verified with the parameters of its hash, so that the parameters can be raised', async () => {
    // RFC 7914 § 12: "pleaseletmein" with N = 16384, r = 8, p = 1 and salt "SodiumChloride", first 32 bytes.
    const hash = Buffer.from('7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2', 'hex').toString(
      'base64url',
    )
    expect(
      await verifyPassword(
        'pleaseletmein',
        `scrypt$14$8$1$${Buffer.from('SodiumChloride').toString('base64url')}$${hash}`,
      ),
    ).toBe(true)
  })

  it('never matches for an account without a password, and the check does the same work', async () => {
    const hash = await hashPassword('something')
    const scrypt = vi.spyOn(crypto, 'scrypt')
    syncBuiltinESMExports() // Also replaces the function for modules that import it by name.
    const listWork = async (passwordHash: string | null) => {
      scrypt.mockClear()
      expect(await verifyPassword('something else', passwordHash)).toBe(false)
      return scrypt.mock.calls.map(([, , length, options]) => ({ length, options }))
    }
    try {
      const work = await listWork(hash)
      expect(work).toHaveLength(1)
      expect(await listWork(null)).toEqual(work)
    } finally {
      scrypt.mockRestore()
      syncBuiltinESMExports()
    }
  })

  it('does not block the process during hashing', async () => {
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    await Promise.all([
      hashPassword('one of four'),
      hashPassword('two of four'),
      hashPassword('three'),
      hashPassword('four'),
    ])
    clearInterval(timer)
    expect(turns).toBeGreaterThan(0)
  })

  it('has at least 10 characters and at most 512 bytes', () => {
    expect(findPasswordProblem('123456789')).toContain('at least 10')
    expect(findPasswordProblem('1234567890')).toBeNull()
    expect(findPasswordProblem('é'.repeat(256))).toBeNull()
    expect(findPasswordProblem('é'.repeat(257))).toContain('at most 512 bytes')
  })
})
