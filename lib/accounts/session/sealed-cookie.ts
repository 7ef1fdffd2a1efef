import { cookies } from 'next/headers'
import { decode, encode } from 'next-auth/jwt'
import type * as z from 'zod'
import { getConfig } from '../../config'
import { requireAuthSecret } from './auth-secret'
import { sessionCookie } from './session'

/** A value that only this service can read or create, kept by one browser for a while. */
export interface SealedCookie<T> {
  keep(value: T): Promise<void>
  /** Null if there is no cookie, or if it has expired or isn't ours. */
  read(): Promise<T | null>
  drop(): Promise<void>
}

/**
 * Creates a cookie that is encrypted with a separate key for its purpose, so that no cookie can replace another cookie
 * or a session.
 */
export function sealedCookie<T extends Record<string, unknown>>(
  purpose: string,
  schema: z.ZodType<T>,
  maxAgeS: number,
): SealedCookie<T> {
  const cookieSettings = () => {
    const config = getConfig()
    return { ...sessionCookie(purpose, config), secret: requireAuthSecret(config) }
  }
  return {
    async keep(value) {
      const { name, options, secret } = cookieSettings()
      const sealed = await encode({ token: { value }, secret, salt: purpose, maxAge: maxAgeS })
      const jar = await cookies()
      jar.set(name, sealed, { ...options, maxAge: maxAgeS })
    },
    async read() {
      const { name, secret } = cookieSettings()
      const sealed = (await cookies()).get(name)?.value ?? ''
      // The cookie is missing, has expired or isn't ours.
      const claims = await decode({ token: sealed, secret, salt: purpose }).catch(() => null)
      return schema.safeParse(claims?.['value']).data ?? null
    },
    async drop() {
      const { name, options } = cookieSettings()
      const jar = await cookies()
      jar.set(name, '', { ...options, maxAge: 0 })
    },
  }
}
