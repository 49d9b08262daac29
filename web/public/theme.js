// Before the first paint: the theme the person chose, if any. A file of its own because inline scripts are forbidden.
;(function () {
  try {
    var theme = localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch {
    // Storage is forbidden here: the device decides.
  }
})()
