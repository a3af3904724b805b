# Starts the executable beside this file under the name session-snapshot.
& "$PSScriptRoot\ai-runtime.exe" session-snapshot @args
exit $LASTEXITCODE
