@echo off
rem Starts the executable beside this file under the name cclaude.
"%~dp0ai-runtime.exe" cclaude %*
