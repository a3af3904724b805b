# Installs ai-runtime, cclaude and session-snapshot on Windows. Needs Windows PowerShell 5.1 or PowerShell 7.
#   a release:   irm <URL of the release>/install.ps1 | iex
#   a checkout:  .\install.ps1         (builds from source; fetches Bun from npm if it is missing)
#   options:     $env:AI_RUNTIME_… as below, or: & ([scriptblock]::Create((irm <URL>/install.ps1))) -DryRun
# Everything is in functions and the only call is on the last line, so that a partly downloaded script does nothing.

function Install-AiRuntime {
  [CmdletBinding()]
  param(
    [string]$Version = $env:AI_RUNTIME_VERSION,
    [string]$Dir = $env:AI_RUNTIME_INSTALL_DIR,
    [string]$BaseUrl = $env:AI_RUNTIME_BASE_URL,
    [string]$ScriptRoot = '',
    [switch]$NoHooks,
    [switch]$ModifyPath,
    [switch]$DryRun,
    [switch]$Uninstall,
    [switch]$Purge,
    [switch]$Stop,
    [switch]$KeepRunning,
    [switch]$Quiet
  )
  $ErrorActionPreference = 'Stop'
  # The progress bar of Windows PowerShell slows downloads down a lot.
  $ProgressPreference = 'SilentlyContinue'

  # scripts/release.ts fills these in; in a checkout they are empty.
  $release_version = ''
  $release_url = ''
  $release_checksums = ''

  $state = Join-Path $env:LOCALAPPDATA 'ai-runtime'
  $receiptPath = Join-Path $state 'install-receipt.json'
  $receipt = Read-AiRuntimeReceipt $receiptPath
  if ($Uninstall) {
    Remove-AiRuntime -Receipt $receipt -ReceiptPath $receiptPath -DryRun:$DryRun -Purge:$Purge -Stop:$Stop -KeepRunning:$KeepRunning -Quiet:$Quiet
    return
  }

  if (-not $Dir -and $receipt) { $Dir = $receipt.directory }
  if (-not $Dir) { $Dir = Join-Path $env:LOCALAPPDATA 'Programs\ai-runtime' }
  $Dir = [System.IO.Path]::GetFullPath($Dir)
  $withHooks = -not $NoHooks -and -not ($receipt -and -not $receipt.hooks)
  $Version = "$Version" -replace '^v', ''
  if ($Version -and $Version -notmatch '^[0-9A-Za-z.+-]+$') { throw "install.ps1: `"$Version`" is not a version; use a version like 0.1.0" }

  if (-not [Environment]::Is64BitOperatingSystem) { throw 'install.ps1: only 64-bit Windows is supported. Nothing was changed.' }
  $isCheckout = $ScriptRoot -and (Test-Path -LiteralPath (Join-Path $ScriptRoot 'scripts\build.ts'))
  $fromCheckout = $isCheckout -and -not ($Version -or $BaseUrl -or $release_version)
  if (-not $fromCheckout) {
    if (-not $BaseUrl) { $BaseUrl = $release_url }
    $BaseUrl = "$BaseUrl".TrimEnd('/')
    if (-not $BaseUrl) { throw 'install.ps1: this copy belongs to no release. Nothing was changed. Use -BaseUrl, or run it from a checkout.' }
    if ($BaseUrl -notmatch '^(https://|http://(127\.0\.0\.1|localhost)[:/])') {
      throw "install.ps1: $BaseUrl is not an https URL, and checksums prove nothing over an insecure connection. Nothing was changed."
    }
    if (-not $Version) { $Version = $release_version }
    $place = if ($Version) { "$BaseUrl/download/v$Version" } else { "$BaseUrl/latest/download" }
  }
  $archive = 'ai-runtime-windows-x64.zip'

  if ($DryRun) {
    if ($fromCheckout) { Write-AiRuntime "would build from $ScriptRoot" } else { Write-AiRuntime "would download $place/$archive and verify its SHA-256" }
    Write-AiRuntime "would install ai-runtime.exe, cclaude and session-snapshot in $Dir"
    if ($withHooks) { Write-AiRuntime 'would register hooks, status line and skills with Claude; ai-runtime install --dry-run shows the change' }
    Write-AiRuntime "would write the receipt $receiptPath"
    return
  }

  # The stage is beside the target, so that the last step is a rename and a full disk shows up before it.
  $stage = Join-Path $Dir ".ai-runtime-install.$PID"
  $madeDirectory = -not (Test-Path -LiteralPath $Dir)
  $changed = $false
  try {
    New-Item -ItemType Directory -Force -Path $Dir | Out-Null
    New-Item -ItemType Directory -Path $stage | Out-Null
    if ($fromCheckout) {
      $candidate = Build-AiRuntime -ScriptRoot $ScriptRoot -Stage $stage -Quiet:$Quiet
    } else {
      $sums = if ($release_checksums -and $Version -eq $release_version) { $release_checksums } else { '' }
      $candidate = Get-AiRuntimeRelease -Place $place -Archive $archive -Stage $stage -Checksums $sums -Quiet:$Quiet
    }
    $installed = Test-AiRuntimeCandidate -Candidate $candidate -Version $Version
    $executable = Join-Path $Dir 'ai-runtime.exe'
    Move-AiRuntimeExecutable -Candidate $candidate -Executable $executable
    $changed = $true
    New-Item -ItemType Directory -Force -Path $state | Out-Null
    $written = @{ version = $installed; directory = $Dir; executable = $executable; hooks = [bool]$withHooks; path = [bool]($receipt -and $receipt.path) }
    $written | ConvertTo-Json | Set-Content -LiteralPath $receiptPath -Encoding UTF8
  } catch {
    if (-not $changed) {
      throw "install.ps1: $($_.Exception.Message) Nothing was changed."
    }
    throw
  } finally {
    Remove-Item -LiteralPath $stage -Recurse -Force -ErrorAction Ignore
    if ($madeDirectory -and -not $changed) { Remove-Item -LiteralPath $Dir -Force -ErrorAction Ignore }
  }

  $words = @('install')
  if (-not $withHooks) { $words += '--shims' }
  if ($Quiet) { $words += '--quiet' }
  & $executable @words
  if ($LASTEXITCODE -ne 0) { Write-Warning "ai-runtime is installed, but not everything was registered: see above, then run `"$executable`" install" }
  if (-not $Quiet) { Write-AiRuntime "Installed ai-runtime $installed in $Dir." }
  Add-AiRuntimePath -Dir $Dir -ModifyPath:$ModifyPath -Quiet:$Quiet -Written $written -ReceiptPath $receiptPath
  foreach ($name in 'ai-runtime', 'cclaude', 'session-snapshot') {
    $first = Get-Command $name -CommandType @('Application', 'ExternalScript') -ErrorAction Ignore | Select-Object -First 1
    if ($first -and (Split-Path -Parent $first.Source) -ne $Dir) { Write-Warning "$($first.Source) comes first on your PATH and hides $name in $Dir" }
  }
  if (-not $Quiet) { Write-AiRuntime 'Next: ai-runtime doctor checks the installation, ai-runtime demo shows what it does, cclaude replaces claude.' }
}

function Write-AiRuntime([string]$Text) { Write-Host $Text }

function Read-AiRuntimeReceipt([string]$Path) {
  if (-not (Test-Path -LiteralPath $Path)) { return $null }
  Get-Content -LiteralPath $Path -Raw | ConvertFrom-Json
}

function Get-AiRuntimeRelease {
  param([string]$Place, [string]$Archive, [string]$Stage, [string]$Checksums, [switch]$Quiet)
  # Windows PowerShell offers TLS 1.0 first on old systems.
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
  if (-not $Quiet) { Write-AiRuntime "Downloading $Place/$Archive" }
  $file = Join-Path $Stage $Archive
  try { Invoke-WebRequest -UseBasicParsing -Uri "$Place/$Archive" -OutFile $file }
  catch { throw "cannot download $Place/${Archive}: $($_.Exception.Message)" }
  if (-not $Checksums) {
    $sumsFile = Join-Path $Stage 'SHA256SUMS'
    try { Invoke-WebRequest -UseBasicParsing -Uri "$Place/SHA256SUMS" -OutFile $sumsFile }
    catch { throw "cannot download $Place/SHA256SUMS, which the installation needs: $($_.Exception.Message)" }
    $Checksums = Get-Content -LiteralPath $sumsFile -Raw
  }
  $expected = $null
  foreach ($line in $Checksums -split "`r?`n") {
    if ($line -match '^([0-9a-f]{64})\s+\*?(\S+)$' -and $Matches[2] -eq $Archive) { $expected = $Matches[1] }
  }
  if (-not $expected) { throw "SHA256SUMS has no checksum for $Archive, which the installation needs." }
  $actual = (Get-FileHash -LiteralPath $file -Algorithm SHA256).Hash.ToLowerInvariant()
  if ($actual -ne $expected) { throw "wrong checksum of ${Archive}: expected $expected, got $actual. The download is damaged or not the released file." }
  $unpacked = Join-Path $Stage 'unpacked'
  try { Expand-Archive -LiteralPath $file -DestinationPath $unpacked }
  catch { throw "cannot unpack ${Archive}: $($_.Exception.Message)" }
  Join-Path $unpacked 'ai-runtime.exe'
}

function Build-AiRuntime {
  param([string]$ScriptRoot, [string]$Stage, [switch]$Quiet)
  if (-not (Get-Command node -ErrorAction Ignore)) { throw 'building needs Node and npm.' }
  if (-not $Quiet) { Write-AiRuntime "Building from $ScriptRoot" }
  & node (Join-Path $ScriptRoot 'scripts\with-bun.mjs') --production scripts/build.ts | Out-Host
  if ($LASTEXITCODE -ne 0) { throw 'the build failed, see above.' }
  $candidate = Join-Path $Stage 'ai-runtime.exe'
  Copy-Item -LiteralPath (Join-Path $ScriptRoot 'dist\ai-runtime.exe') -Destination $candidate
  $candidate
}

# The new executable must start and have the requested version before it replaces the old one.
function Test-AiRuntimeCandidate {
  param([string]$Candidate, [string]$Version)
  if (-not (Test-Path -LiteralPath $Candidate)) { throw 'the archive does not contain ai-runtime.exe.' }
  $answer = & $Candidate --version
  if ($LASTEXITCODE -ne 0 -or "$answer" -notmatch '^ai-runtime (\S+)') { throw "the new ai-runtime does not start on this machine: $answer" }
  $installed = $Matches[1]
  if ($Version -and $installed -ne $Version) { throw "the new ai-runtime is version $installed, not $Version." }
  $installed
}

# Windows cannot overwrite a running program, but it can rename it; a later install removes the renamed one.
function Move-AiRuntimeExecutable {
  param([string]$Candidate, [string]$Executable)
  Get-ChildItem -Path "$Executable.old-*" -ErrorAction Ignore | Remove-Item -Force -ErrorAction Ignore
  $old = "$Executable.old-$PID"
  $hadOld = Test-Path -LiteralPath $Executable
  if ($hadOld) { Move-Item -LiteralPath $Executable -Destination $old }
  try { Move-Item -LiteralPath $Candidate -Destination $Executable }
  catch {
    if ($hadOld) { Move-Item -LiteralPath $old -Destination $Executable }
    throw
  }
  Remove-Item -LiteralPath $old -Force -ErrorAction Ignore
}

function Add-AiRuntimePath {
  param([string]$Dir, [switch]$ModifyPath, [switch]$Quiet, [hashtable]$Written, [string]$ReceiptPath)
  if (($env:Path -split ';') -contains $Dir) { return }
  if (-not $ModifyPath -and -not $Quiet -and [Environment]::UserInteractive -and -not [Console]::IsInputRedirected) {
    $ModifyPath = (Read-Host "$Dir is not on your PATH. Add it for your user? [y/N]") -match '^[yY]'
  }
  if (-not $ModifyPath) {
    if (-not $Quiet) { Write-AiRuntime "$Dir is not on your PATH. Add it in the Windows settings, or run install.ps1 again with -ModifyPath." }
    return
  }
  $user = [Environment]::GetEnvironmentVariable('Path', 'User')
  [Environment]::SetEnvironmentVariable('Path', ((@($Dir) + @("$user" -split ';' | Where-Object { $_ })) -join ';'), 'User')
  $env:Path = "$Dir;$env:Path"
  $Written.path = $true
  $Written | ConvertTo-Json | Set-Content -LiteralPath $ReceiptPath -Encoding UTF8
  if (-not $Quiet) { Write-AiRuntime 'Added the directory to your PATH; new terminals use it.' }
}

function Remove-AiRuntime {
  param($Receipt, [string]$ReceiptPath, [switch]$DryRun, [switch]$Purge, [switch]$Stop, [switch]$KeepRunning, [switch]$Quiet)
  if (-not $Receipt) { throw "install.ps1: nothing to uninstall: the receipt $ReceiptPath does not exist" }
  if ($DryRun) {
    Write-AiRuntime "would remove hooks, status line, skills and shims with: $($Receipt.executable) uninstall"
    if ($Purge) { Write-AiRuntime 'would delete all snapshots' }
    Write-AiRuntime "would remove $($Receipt.executable) and $ReceiptPath"
    return
  }
  if (Test-Path -LiteralPath $Receipt.executable) {
    $running = @()
    if ($Stop) { $running = @('--stop') } elseif ($KeepRunning) { $running = @('--keep-running') }
    & $Receipt.executable uninstall @running
    if ($LASTEXITCODE -ne 0) { throw 'install.ps1: ai-runtime uninstall failed, see above. Fix this and run install.ps1 -Uninstall again.' }
    if (-not $Purge -and -not $Quiet -and [Environment]::UserInteractive -and -not [Console]::IsInputRedirected) {
      $Purge = (Read-Host 'Delete the snapshots of your conversations too? This cannot be undone. [y/N]') -match '^[yY]'
    }
    if ($Purge) { & $Receipt.executable session-snapshot clean --all --yes }
    elseif (-not $Quiet) { Write-AiRuntime 'Snapshots are kept.' }
    Remove-Item -LiteralPath $Receipt.executable -Force
  } else {
    Write-Warning "$($Receipt.executable) no longer exists; Claude's settings.json may still call it"
  }
  if ($Receipt.path) {
    $user = [Environment]::GetEnvironmentVariable('Path', 'User')
    $left = "$user" -split ';' | Where-Object { $_ -and $_ -ne $Receipt.directory }
    [Environment]::SetEnvironmentVariable('Path', ($left -join ';'), 'User')
  }
  Remove-Item -LiteralPath $ReceiptPath -Force
  if (-not $Quiet) { Write-AiRuntime 'Uninstalled.' }
}

Install-AiRuntime @args -ScriptRoot $PSScriptRoot
