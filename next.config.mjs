/** @type {import('next').NextConfig} */
export default {
  // Builds are made beside the one that runs (lib/start/build.mjs), so the place comes from there.
  distDir: process.env.NEXT_DIST_DIR ?? '.next/dev',
  poweredByHeader: false,
  // Types are checked by `npm run check`; Next would write into the tsconfig that it is shown, so it gets one of its own.
  typescript: { ignoreBuildErrors: true, tsconfigPath: '.next/tsconfig.json' },
}
