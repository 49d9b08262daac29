// Before the first paint: the theme the person chose, if any, and in the panel their company's colours.
// A file of its own because inline scripts are forbidden.
;(function () {
  try {
    var theme = localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
    var brand = location.pathname.startsWith('/panel') && JSON.parse(localStorage.getItem('brand') || 'null')
    // As hasPasskeys() judges, before there is an app: a passkey belongs to a name, not to a number.
    if (window.PublicKeyCredential && isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname))
      document.documentElement.dataset.passkeys = 'yes'
    for (var name in brand || {}) document.documentElement.style.setProperty(name, brand[name])
  } catch {
    // Storage is forbidden here: the device decides.
  }
})()
