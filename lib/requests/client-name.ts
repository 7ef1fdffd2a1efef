/** Products whose own spelling says too little, or whose version starts with a protocol number. In lower case. */
const NAMES = new Map([
  ['edg', 'Edge'],
  ['opr', 'Opera'],
  ['headlesschrome', 'Headless Chrome'],
  ['node', 'Node'],
  ['node-fetch', 'Node node-fetch'],
  ['undici', 'Node undici'],
  ['python-requests', 'Python requests'],
  ['python-httpx', 'Python httpx'],
  ['python-urllib', 'Python urllib'],
  ['go-http-client', 'Go'],
  ['java-http-client', 'Java'],
  ['apache-httpclient', 'Java Apache HttpClient'],
  ['guzzlehttp', 'PHP Guzzle'],
  ['symfony', 'PHP Symfony'],
  ['faraday', 'Ruby Faraday'],
  ['restsharp', '.NET RestSharp'],
  ['postmanruntime', 'Postman'],
  ['wget', 'Wget'],
  ['httpie', 'HTTPie'],
  ['powershell', 'PowerShell'],
])

/** Programs that send the version of the protocol instead of their own. */
const WITHOUT_VERSION = new Set(['go-http-client'])

/** Programs that name themselves after their language, such as `Python/3.12 aiohttp/3.9.5`. */
const LANGUAGES = new Set(['python', 'dart'])

/**
 * Names a client in words, such as "curl 8" or "Python requests 2", from the stored programs of its User-Agent. For an
 * unknown program, returns its name and major version.
 */
export function nameClient(agent: string): string {
  const [first = '', second] = agent.split(' ')
  const [language] = split(first)
  if (second !== undefined && LANGUAGES.has(language.toLowerCase())) return `${language} ${nameProduct(second)}`
  return nameProduct(first)
}

function nameProduct(product: string): string {
  const [name, version] = split(product)
  const key = name.toLowerCase()
  const major = WITHOUT_VERSION.has(key) ? undefined : /^v?(\d+)/i.exec(version)?.[1]
  const title = NAMES.get(key) ?? name
  return major === undefined ? title : `${title} ${major}`
}

function split(product: string): [name: string, version: string] {
  const [name = '', version = ''] = product.split('/')
  return [name, version]
}
