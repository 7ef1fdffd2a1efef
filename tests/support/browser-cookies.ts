import { workAsyncStorage } from 'next/dist/server/app-render/work-async-storage.external'
import { workUnitAsyncStorage } from 'next/dist/server/app-render/work-unit-async-storage.external'

/** A browser with the cookies that the server has set. */
export interface Browser {
  cookies: Map<string, { value: string; maxAge?: number; httpOnly?: boolean }>
  /** Runs code of a route as Next.js does, with the cookies of this browser. */
  visit<T>(work: () => Promise<T>): Promise<T>
}

/** Opens a browser without cookies. */
export function openBrowser(): Browser {
  const cookies: Browser['cookies'] = new Map()
  const jar = {
    get: (name: string) => cookies.get(name),
    set: (name: string, value: string, options: object) => cookies.set(name, { ...options, value }),
  }
  const store = { type: 'request', phase: 'action', cookies: jar, userspaceMutableCookies: jar }
  return {
    cookies,
    visit: work =>
      // Next.js reads only these members of its stores for cookies.
      workAsyncStorage.run({ route: '/' } as never, () => workUnitAsyncStorage.run(store as never, work)),
  }
}
