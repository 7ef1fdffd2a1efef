// The browser comes from npm as well; puppeteer's own download would reach outside the registry.
module.exports = { skipDownload: true }
