@echo off
rem Starts the executable beside this file under the name session-snapshot.
"%~dp0ai-runtime.exe" session-snapshot %*
