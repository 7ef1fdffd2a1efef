import packageJson from '../../../package.json' with { type: 'json' }

/** Files that lib/build/pack-clients.mjs writes. The clients have the version of the server. */
export const CLIENT_PACKAGES = {
  typescript: 'sheaf-client.tgz',
  python: `sheaf_client-${packageJson.version}-py3-none-any.whl`,
  cli: 'sheaf-cli.tgz',
} as const
