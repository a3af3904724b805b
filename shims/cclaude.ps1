# Starts the executable beside this file under the name cclaude.
& "$PSScriptRoot\ai-runtime.exe" cclaude @args
exit $LASTEXITCODE
