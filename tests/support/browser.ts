import { findCacheFolder } from '../../engines/webpage/browser/cache-folder'
import { makeFonts, unpackBrowser } from '../../engines/webpage/browser/unpack-browser'
import { bundleScript } from './bundled-script'

/** A browser that the tests can start on any Linux machine, and its start options. */
export interface TestBrowser {
  executablePath: string
  args: string[]
  env: Record<string, string>
}

/** The product's own browser and fonts, unpacked into the cache folder as the product does it. */
export async function findTestBrowser(
  environment: Record<string, string | undefined> = process.env,
): Promise<TestBrowser> {
  const cache = findCacheFolder(environment['CACHE_DIR'])
  const script = await bundleScript('engines/webpage/browser-fonts/make-fonts.ts')
  const [{ executablePath, libraries }, fontsPath] = await Promise.all([
    unpackBrowser(cache),
    makeFonts(cache, script.path),
  ]).finally(() => script.remove())
  const inherited = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  return {
    executablePath,
    // Root has no user namespace for a sandbox. These tests only open the project's own pages.
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-dev-shm-usage',
      '--font-render-hinting=none',
    ],
    env: { ...inherited, LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: fontsPath, HOME: cache },
  }
}
