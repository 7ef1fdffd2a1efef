/** @type {import('next').NextConfig} */
export default {
  // Builds are made beside the one that runs (lib/build/build.mjs), so the place comes from there.
  distDir: process.env.NEXT_DIST_DIR ?? '.next/dev',
  poweredByHeader: false,
  // A call with a slash too many gets its 404 or its answer, not a redirect that clients follow without the body.
  skipTrailingSlashRedirect: true,
  // Their files are found beside them (WebAssembly, workers), or they are the same ones that the server has loaded.
  serverExternalPackages: [
    '@electric-sql/pglite',
    '@embedpdf/pdfium',
    '@jsquash/jpeg',
    '@jsquash/webp',
    'busboy',
    'drizzle-orm',
    'harfbuzzjs',
    'libdeflate',
    'pino',
    'postgres',
    'stripe',
    'tesseract.js',
  ],
  // Types are checked by `npm run check`; Next would write into the tsconfig that it is shown, so it gets one of its
  // own.
  typescript: { ignoreBuildErrors: true, tsconfigPath: '.next/tsconfig.json' },
  // Titles and descriptions stand in the head for every client. Next.js would send them late, in the body, to clients
  // that it doesn't know as readers without scripts.
  htmlLimitedBots: /./,
  // Pages of the documentation that got another name on 2026-11-23. A fragment names the section that replaces a page.
  redirects: async () =>
    Object.entries({
      operations: 'self-hosting',
      authentication: 'api-basics#authentication',
      requests: 'api-basics#requests',
      selectors: 'api-basics#page-selectors',
      credits: 'pricing',
    }).flatMap(([from, to]) => [
      { source: `/docs/${from}`, destination: `/docs/${to}`, permanent: true },
      { source: `/docs/${from}.md`, destination: `/docs/${to.replace(/#.*/, '')}.md`, permanent: true },
    ]),
  // Pages of the documentation as Markdown: by their address, or where a client asks for it. One route writes them all.
  rewrites: async () => {
    const asksForMarkdown = [{ type: 'header', key: 'accept', value: '.*text/markdown.*' }]
    return {
      beforeFiles: [
        { source: '/docs.md', destination: '/markdown' },
        { source: '/docs/:page([a-z0-9-]+).md', destination: '/markdown/:page' },
        { source: '/docs/agents/:path([a-z0-9-]+).md', destination: '/markdown/agents/:path' },
        {
          source: '/docs/agents/:path([a-z0-9-]+)/:option([A-Za-z0-9.]+).md',
          destination: '/markdown/agents/:path/:option',
        },
        { source: '/docs', has: asksForMarkdown, destination: '/markdown' },
        { source: '/docs/:page([a-z0-9-]+)', has: asksForMarkdown, destination: '/markdown/:page' },
        { source: '/openapi.json', destination: '/api/openapi.json' },
        { source: '/postman.json', destination: '/api/postman.json' },
      ],
    }
  },
}
